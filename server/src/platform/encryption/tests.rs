use super::*;

fn keys(bytes: &[u8]) -> DataKeys {
    let secrets: Vec<_> = bytes.iter().map(|b| SecretKey([*b; 32])).collect();
    DataKeys { source: Source::Setting, ring: RwLock::new(Arc::new(Ring::new(&secrets).unwrap())) }
}

#[test]
fn what_is_sealed_for_one_row_opens_in_no_other_place_and_not_when_it_was_changed() {
    let (keys, corp, row) = (keys(&[1]), Uuid::now_v7(), Uuid::now_v7());
    let mut sealed = keys.seal(corp, row, "19121212-1212").unwrap().bytes;
    assert_eq!(keys.open_text(corp, row, &sealed).as_deref(), Some("19121212-1212"));
    assert_eq!(keys.open_text(corp, Uuid::now_v7(), &sealed), None);
    assert_eq!(keys.open_text(Uuid::now_v7(), row, &sealed), None);
    for i in 0..sealed.len() {
        sealed[i] ^= 1;
        assert_eq!(keys.open_text(corp, row, &sealed), None, "byte {i}");
        sealed[i] ^= 1;
    }
    for length in 0..sealed.len() {
        assert_eq!(keys.open_text(corp, row, &sealed[..length]), None, "{length} bytes");
    }
}

#[test]
fn the_first_key_seals_and_all_open() {
    let (corp, row) = (Uuid::now_v7(), Uuid::now_v7());
    let (old, both, new) = (keys(&[1]), keys(&[2, 1]), keys(&[2]));
    let (before, after) = (old.seal(corp, row, "1").unwrap(), both.seal(corp, row, "2").unwrap());
    assert_eq!((before.key, &after.key), (old.sealing_key(), &new.sealing_key()));
    assert_ne!(old.sealing_key(), new.sealing_key());
    assert_eq!(both.open_text(corp, row, &before.bytes).as_deref(), Some("1"));
    assert_eq!(new.open_text(corp, row, &after.bytes).as_deref(), Some("2"));
    assert_eq!(new.open_text(corp, row, &before.bytes), None);
}

#[test]
fn keys_that_cannot_be_read_again_stay_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    make(&path).unwrap();
    let ring = RwLock::new(Arc::new(Ring::of_file(&path).unwrap()));
    let keys = DataKeys { source: Source::File(path.clone()), ring };
    let (corp, row) = (Uuid::now_v7(), Uuid::now_v7());
    let sealed = keys.seal(corp, row, "1").unwrap().bytes;
    fs::write(&path, "no key").unwrap();
    assert!(!keys.reload());
    assert_eq!(keys.open_text(corp, row, &sealed).as_deref(), Some("1"));
}

#[test]
fn the_file_of_keys_is_made_once_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    make(&path).unwrap();
    let first = fs::read(&path).unwrap();
    make(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), first);
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777, 0o600);
    fs::write(&path, "\n").unwrap();
    assert!(Ring::of_file(&path).is_err());
    fs::write(&path, "abc").unwrap();
    assert!(Ring::of_file(&path).is_err());
}
