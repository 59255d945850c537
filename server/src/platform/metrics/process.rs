//! Metrics of the process (memory, CPU time, open files) under the standard Prometheus names.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;
use std::fs;

/// Linux reports CPU time to user space in this unit (`USER_HZ`) on every architecture.
const TICKS_PER_SECOND: f64 = 100.0;

/// Registers the process metrics. Without `/proc`, most of them are missing.
pub(super) fn register(registry: &mut Registry, started_at: i64) {
    registry.register_collector(Box::new(Process { started_at }));
}

#[derive(Debug)]
struct Process {
    started_at: i64,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let mut gauge = |name: &str, help: &str, value: f64| {
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)
        };
        gauge("process_start_time_seconds", "Start time of the process", self.started_at as f64 / 1e6)?;
        if let Some((resident, peak)) = memory() {
            gauge("process_resident_memory_bytes", "Memory in use", resident)?;
            gauge("process_peak_memory_bytes", "Maximum memory used so far", peak)?;
        }
        if let Ok(open) = fs::read_dir("/proc/self/fd") {
            gauge("process_open_fds", "Open files and connections", open.count() as f64)?;
        }
        if let Ok(limit) = rlimit::Resource::NOFILE.get_soft() {
            gauge("process_max_fds", "Maximum number of open files and connections", limit as f64)?;
        }
        if let Some(seconds) = cpu_seconds() {
            let counter = ConstCounter::new(seconds);
            let help = "CPU time used";
            counter.encode(encoder.encode_descriptor("process_cpu_seconds", help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}

/// Returns the process's resident memory and its peak, in bytes; `None` without `/proc`.
fn memory() -> Option<(f64, f64)> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let bytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().trim_end_matches(" kB").parse::<f64>().ok()? * 1024.0)
    };
    Some((bytes("VmRSS:")?, bytes("VmHWM:")?))
}

/// Returns the CPU time that this process has used, in seconds; `None` without `/proc`.
fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name may contain spaces and parentheses; only numbers follow it.
    let mut numbers = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let ticks = numbers.next()?.parse::<f64>().ok()? + numbers.next()?.parse::<f64>().ok()?;
    Some(ticks / TICKS_PER_SECOND)
}
