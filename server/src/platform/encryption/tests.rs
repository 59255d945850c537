use super::*;

fn decrypt(keys: &DataKeys, corp: Uuid, row: Uuid, encrypted: &[u8]) -> Option<String> {
    keys.decrypt(corp, row, encrypted).map(|number| number.expose_secret().clone())
}

fn keys(bytes: &[u8]) -> DataKeys {
    let secrets: Vec<_> = bytes.iter().map(|b| Secret::new([*b; 32])).collect();
    DataKeys { source: Source::Settings, ring: RwLock::new(Arc::new(KeyRing::new(&secrets).unwrap())) }
}

#[test]
fn decrypts_only_in_the_same_row_and_unmodified() {
    let (keys, corp, row) = (keys(&[1]), Uuid::now_v7(), Uuid::now_v7());
    let mut encrypted = keys.encrypt(corp, row, &"19121212-1212".into()).unwrap().bytes;
    assert_eq!(decrypt(&keys, corp, row, &encrypted).as_deref(), Some("19121212-1212"));
    assert_eq!(decrypt(&keys, corp, Uuid::now_v7(), &encrypted), None);
    assert_eq!(decrypt(&keys, Uuid::now_v7(), row, &encrypted), None);
    for i in 0..encrypted.len() {
        encrypted[i] ^= 1;
        assert_eq!(decrypt(&keys, corp, row, &encrypted), None, "byte {i}");
        encrypted[i] ^= 1;
    }
    for length in 0..encrypted.len() {
        assert_eq!(decrypt(&keys, corp, row, &encrypted[..length]), None, "{length} bytes");
    }
}

#[test]
fn the_first_key_encrypts_and_all_decrypt() {
    let (corp, row) = (Uuid::now_v7(), Uuid::now_v7());
    let (old, both, new) = (keys(&[1]), keys(&[2, 1]), keys(&[2]));
    let (before, after) = (old.encrypt(corp, row, &"1".into()).unwrap(), both.encrypt(corp, row, &"2".into()).unwrap());
    assert_eq!((before.key, &after.key), (old.current_key_id(), &new.current_key_id()));
    assert_ne!(old.current_key_id(), new.current_key_id());
    assert_eq!(decrypt(&both, corp, row, &before.bytes).as_deref(), Some("1"));
    assert_eq!(decrypt(&new, corp, row, &after.bytes).as_deref(), Some("2"));
    assert_eq!(decrypt(&new, corp, row, &before.bytes), None);
}

#[test]
fn keeps_the_loaded_keys_if_the_key_file_becomes_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    create_key_file(&path).unwrap();
    let ring = RwLock::new(Arc::new(KeyRing::from_file(&path).unwrap()));
    let keys = DataKeys { source: Source::File(path.clone()), ring };
    let (corp, row) = (Uuid::now_v7(), Uuid::now_v7());
    let encrypted = keys.encrypt(corp, row, &"1".into()).unwrap().bytes;
    fs::write(&path, "no key").unwrap();
    assert!(!keys.reload());
    assert_eq!(decrypt(&keys, corp, row, &encrypted).as_deref(), Some("1"));
}

#[test]
fn creates_the_key_file_once_and_readable_only_by_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    create_key_file(&path).unwrap();
    let first = fs::read(&path).unwrap();
    create_key_file(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), first);
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777, 0o600);
}

#[test]
fn rejects_a_blank_or_damaged_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE_NAME);
    for text in ["\n", "abc"] {
        fs::write(&path, text).unwrap();
        assert!(KeyRing::from_file(&path).is_err(), "{text:?}");
    }
}
