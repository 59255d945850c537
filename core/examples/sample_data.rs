//! Writes `contacts-<rows>.csv` and `contacts-<rows>.xlsx` with the same invented contacts in every run, about one in a
//! hundred invalid. Then reads both files back and prints the results.
//!
//! Arguments, in any order: the number of rows (100000), and the folder to write to (samples).

#[path = "../tests/checker/mod.rs"]
mod checker;

use checker::suggested_checker;
use forecourt_core::import::{Limits, ReadOptions, Source};
use forecourt_core::text::fold;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook};
use std::error::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

const HEADERS: [&str; 10] =
    ["Namn", "E-post", "Telefon", "Hemsida", "Adress", "Företag", "Kundnr", "Kund sedan", "Bil", "Anteckning"];

const COUNTRIES: [Country; 3] = [
    Country {
        first: "Åsa Björn Märta Örjan Eva Lars Karin Göran Linnéa Håkan Ylva Per-Åke Sofia Mikael Elin Nils \
            Zäta André Ingrid Hjördis",
        last: "Öberg Lindström Åkesson Ek Sjögren Nyström Bergman Hägg Dufva Söderqvist Ahlén Björk Ståhl \
            Wallin Lööf Norén Kjellberg Fälth",
        streets: &["Storgatan", "Ängsvägen", "Kyrkogatan", "Björkallén", "Östra Hamngatan", "Skolvägen"],
        cities: &["211 42 Malmö", "411 05 Göteborg", "113 30 Stockholm", "903 25 Umeå", "582 22 Linköping"],
        prefix: "+46 70",
        domain: "se",
    },
    Country {
        first: "Jörg Änne Günther Heike Jürgen Käthe Uwe Sabine Matthias Ursula Björn Franziska Till \
            Brigitte Rüdiger Anke",
        last: "Weiß Müller Groß Schäfer Böhm Jäger Krüger Fuchs Kühn Zöllner Vogel Lüdenscheidt Hofmann \
            Seidel Köhler",
        streets: &["Hauptstraße", "Königsallee", "Am Bächle", "Bahnhofstraße", "Mühlweg"],
        cities: &["40212 Düsseldorf", "79098 Freiburg", "01067 Dresden", "80331 München", "20095 Hamburg"],
        prefix: "+49 151",
        domain: "de",
    },
    Country {
        first: "Grace Tom Siobhán Harry Zoë Oliver Emily Rhys Chloé Callum Niamh George Amelia Owen Isla",
        last: "O'Neill Park Hale D’Arcy Whitfield Marsh Llewellyn Ashdown Fenwick Harker Sutcliffe Pryce \
            Thorne Wainwright",
        streets: &["High Street", "Mill Lane", "Church Road", "Station Road", "The Green"],
        cities: &["Bath BA1 1AA", "York YO1 7AB", "Leeds LS1 4DY", "London SW1A 2AA", "Cardiff CF10 1EP"],
        prefix: "+44 7700",
        domain: "example.com",
    },
];

const CARS: [&str; 8] = ["Volvo V60", "Škoda Octavia", "VW Golf", "Kia Niro", "Saab 9-3", "Citroën C3", "Tesla 3", ""];

const NOTES: [&str; 8] = [
    "",
    "",
    "",
    "Ring efter kl. 17",
    "Says \"call me, don't write\"",
    "Hat zwei Wünsche:\n- Anhängerkupplung\n- Winterräder",
    "Inbyte möjligt; se offert 12;34",
    "=SUM(1,2) is no formula here",
];

struct Country {
    /// First and last names, separated by blanks.
    first: &'static str,
    last: &'static str,
    streets: &'static [&'static str],
    cities: &'static [&'static str],
    prefix: &'static str,
    domain: &'static str,
}

/// The SplitMix64 generator, which yields the same numbers on every machine.
struct SplitMix64(u64);

impl SplitMix64 {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
    fn pick_word(&mut self, words: &'static str) -> &'static str {
        self.pick(&words.split(' ').collect::<Vec<_>>())
    }
}

/// The expected result of checking the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    total: u64,
    ready: u64,
    failed: u64,
    duplicates: u64,
}

struct Person {
    cells: [String; 7],
    since: (u16, u8, u8),
    car: &'static str,
    note: &'static str,
}

fn people(rows: usize) -> (Vec<Person>, Counts) {
    let mut random = SplitMix64(2024);
    let mut counts = Counts::default();
    let mut last_email = String::new();
    let people = (1..=rows)
        .map(|n| {
            let country = &COUNTRIES[[0, 0, 0, 1, 1, 2][random.roll(6)]];
            let (first, last) = (random.pick_word(country.first), random.pick_word(country.last));
            let mut name = format!("{first} {last}");
            let plain = |text: &str| fold(text).chars().filter(char::is_ascii_alphanumeric).collect::<String>();
            let company = if random.roll(3) == 0 { format!("{last} & Co") } else { String::new() };
            let website = if company.is_empty() { String::new() } else { format!("www.{}{n}.example", plain(last)) };
            // The number makes every address unique, so that only the intended duplicates exist.
            let mut email = match random.roll(20) {
                0 => String::new(),
                _ => format!("{}.{}{n}@example.{}", plain(first), plain(last), country.domain.replace("example.", "")),
            };
            let phone = format!("{} {:03} {:04}", country.prefix, n / 10_000, n % 10_000);
            let (street, city) = (random.pick(country.streets), random.pick(country.cities));
            let between = if random.roll(4) == 0 { "\n" } else { ", " };
            let address = format!("{street} {}{between}{city}", 1 + random.roll(99));

            counts.total += 1;
            let mistake = random.roll(300);
            match mistake {
                0 => name.clear(),
                1 => email = format!("{}(at)example.{}", plain(first), country.domain),
                2 => name = format!("{name} ").repeat(40),
                3 | 4 if !last_email.is_empty() => {
                    email = last_email.to_uppercase();
                    counts.duplicates += 1;
                }
                _ => {}
            }
            if mistake <= 2 {
                counts.failed += 1;
            } else {
                counts.ready += 1;
                if !email.is_empty() {
                    last_email.clone_from(&email);
                }
            }
            let since = (2005 + random.roll(20) as u16, 1 + random.roll(12) as u8, 1 + random.roll(28) as u8);
            let cells = [name, email, phone, website, address, company, (100_000 + n).to_string()];
            Person { cells, since, car: random.pick(&CARS), note: random.pick(&NOTES) }
        })
        .collect();
    (people, counts)
}

/// Writes a CSV as Swedish Excel saves "CSV UTF-8".
fn write_csv(path: &Path, people: &[Person]) -> Result<(), Box<dyn Error>> {
    let mut bytes = "\u{FEFF}".as_bytes().to_vec();
    let mut writer =
        csv::WriterBuilder::new().delimiter(b';').terminator(csv::Terminator::CRLF).from_writer(&mut bytes);
    writer.write_record(HEADERS)?;
    for Person { cells, since: (year, month, day), car, note } in people {
        let since = format!("{year}-{month:02}-{day:02}");
        let cells = cells.iter().map(String::as_str);
        writer.write_record(cells.chain([since.as_str(), car, note]))?;
    }
    writer.flush()?;
    drop(writer);
    Ok(std::fs::write(path, bytes)?)
}

/// Writes a workbook with numbers, dates and shared strings.
fn write_xlsx(path: &Path, people: &[Person]) -> Result<(), Box<dyn Error>> {
    let mut workbook = Workbook::new();
    let created = ExcelDateTime::from_ymd(2024, 5, 17)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let date = Format::new().set_num_format("yyyy-mm-dd");
    let sheet = workbook.add_worksheet().set_name("Kunder")?;
    sheet.write_row(0, 0, HEADERS)?;
    for (row, Person { cells, since: (year, month, day), car, note }) in (1..).zip(people) {
        for (column, cell) in (0..).zip(cells) {
            match cell.parse::<f64>() {
                Ok(number) if column == 6 => sheet.write_number(row, column, number)?,
                _ if cell.is_empty() => sheet,
                _ => sheet.write_string(row, column, cell)?,
            };
        }
        sheet.write_datetime_with_format(row, 7, ExcelDateTime::from_ymd(*year, *month, *day)?, &date)?;
        for (column, cell) in [(8, car), (9, note)] {
            if !cell.is_empty() {
                sheet.write_string(row, column, *cell)?;
            }
        }
    }
    Ok(workbook.save(path)?)
}

/// Reads and checks a file as an import does.
fn check(path: &Path) -> Result<Counts, Box<dyn Error>> {
    let bytes = std::fs::read(path)?;
    let started = Instant::now();
    let limits = Limits::default().for_file(bytes.len() as u64);
    let mut source = Source::open(&path.to_string_lossy(), bytes, &ReadOptions::default(), 50, &limits)?;
    let previewed = started.elapsed();
    let mut checker = suggested_checker(&source, &limits).map_err(|errors| format!("{errors:?}"))?;
    // The problems are only counted, not displayed.
    source.rows(&mut |row| checker.check_row(row).map(|_| ControlFlow::Continue(())))?;
    let verdict = checker.verdict();
    println!(
        "{}: {} rows, {} ready, {} with problems, {} duplicates; preview after {} ms, all read and checked after {} ms",
        path.display(),
        verdict.total,
        verdict.ready,
        verdict.failed,
        verdict.duplicates,
        previewed.as_millis(),
        started.elapsed().as_millis()
    );
    let (total, ready) = (verdict.total, verdict.ready);
    Ok(Counts { total, ready, failed: verdict.failed, duplicates: verdict.duplicates })
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut rows, mut folder) = (100_000, PathBuf::from("samples"));
    for argument in std::env::args().skip(1) {
        match argument.parse() {
            Ok(number) => rows = number,
            Err(_) => folder = PathBuf::from(argument),
        }
    }
    std::fs::create_dir_all(&folder)?;
    let (people, expected) = people(rows);
    let [csv, xlsx] = ["csv", "xlsx"].map(|ending| folder.join(format!("contacts-{rows}.{ending}")));
    write_csv(&csv, &people)?;
    write_xlsx(&xlsx, &people)?;
    for path in [&csv, &xlsx] {
        let found = check(path)?;
        if found != expected {
            return Err(format!("{}: {found:?} instead of {expected:?}", path.display()).into());
        }
    }
    Ok(())
}
