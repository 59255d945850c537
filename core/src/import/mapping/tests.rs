use super::*;
use ModelColumn::{Address, DoNotImport, Email, Name, OtherDetails, Phone, Website};
use proptest::prelude::*;

fn matched(columns: &[&str], rows: &[&[&str]]) -> Vec<ModelColumn> {
    let columns: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|&c| c.to_owned()).collect()).collect();
    match_columns(&columns, &rows).into_iter().map(|m| m.model_column).collect()
}

#[test]
fn maps_headers_in_five_languages() {
    let five = [Name, Email, Phone, Website, Address];
    for headers in [
        ["Name", "E-mail address", "Phone no.", "Web site", "Address"],
        ["Namn", "E-post", "Telefonnr", "Hemsida", "Gatuadress"],
        ["Ansprechpartner", "E-Mail-Adresse", "Rufnummer", "Webseite", "Straße"],
        ["NOM COMPLET", "Courriel", "Téléphone", "Site internet", "Adresse postale"],
        ["Nombre", "Correo electrónico", "Teléfono", "Página web", "Dirección"],
    ] {
        assert_eq!(matched(&headers, &[]), five, "{headers:?}");
    }
}

#[test]
fn maps_headers_with_extra_words_or_typos() {
    assert_eq!(matched(&["Namn", "E-post (arbete)", "Telefon dagtid"], &[]), [Name, Email, Phone]);
    assert_eq!(matched(&["Name", "Emial", "Telehpone"], &[]), [Name, Email, Phone]);
    assert_eq!(matched(&["Name", "Emails", "Adresss"], &[]), [Name, Email, Address]);
}

#[test]
fn the_more_usual_header_gets_the_field() {
    assert_eq!(matched(&["Namn", "Mobil", "Telefon"], &[]), [Name, OtherDetails, Phone]);
    assert_eq!(matched(&["Företag", "Kontaktperson"], &[]), [OtherDetails, Name]);
    assert_eq!(matched(&["Företag", "E-post"], &[]), [Name, Email]);
    assert_eq!(matched(&["Email", "Email (2)"], &[]), [Email, OtherDetails]);
}

#[test]
fn maps_exports_of_other_programs_as_a_person_would() {
    let shopify = ["First Name", "Last Name", "Email", "Default Address Company", "Default Address Address1", "Phone"];
    assert_eq!(matched(&shopify, &[]), [Name, OtherDetails, Email, OtherDetails, Address, Phone]);
    assert_eq!(matched(&["Name", "Company Domain Name"], &[]), [Name, Website]);
    assert_eq!(matched(&["billing_email", "user_email", "display_name"], &[]), [OtherDetails, Email, Name]);
    assert_eq!(matched(&["NAME", "HOMEPH", "EMAIL"], &[]), [Name, Phone, Email]);
    assert_eq!(matched(&["NAME", "HOMEPH", "CELLPH"], &[]), [Name, OtherDetails, Phone]);
    assert_eq!(matched(&["Namn", "Postadress", "Gata"], &[]), [Name, OtherDetails, Address]);
    assert_eq!(matched(&["Namn", "Adress (företag)"], &[]), [Name, Address]);
    let ad: &[&str] = &["Åsa Öberg", "https://ads.example/1"];
    assert_eq!(matched(&["Namn", "Länk"], &[ad]), [Name, OtherDetails]);
}

#[test]
fn leaves_out_the_number_and_reasons_in_a_report_of_failed_rows() {
    let report: &[&str] = &["7", "E-post: Please enter a valid email address", "Bo", "bo@example.se"];
    let columns = [&REPORT_HEADERS[..], &["Namn", "E-post"]].concat();
    assert_eq!(matched(&columns, &[report]), [DoNotImport, DoNotImport, Name, Email]);
    assert_eq!(matched(&["Reason", "Row", "Namn"], &[]), [OtherDetails, OtherDetails, Name], "another file");
}

#[test]
fn leaves_out_what_forecourt_sets_itself_in_a_file_that_it_exported() {
    let exported: Vec<_> =
        ContactSummary::FIELDS.iter().filter(|field| field.is_exported).map(|field| field.name).collect();
    let expected = exported.iter().map(|name| ModelColumn::parse(name).unwrap_or(DoNotImport)).collect::<Vec<_>>();
    assert_eq!(matched(&exported, &[]), expected);
    assert!(expected.contains(&Address) && expected.contains(&DoNotImport));
    // Even if the values look like those of other fields.
    let swapped: &[&str] = &["id", "Ada", "a", "0072026-01-31"];
    assert_eq!(matched(&["_id", "name", "phone", "address"], &[swapped]), [DoNotImport, Name, Phone, Address]);
    // In a file of another program, these columns are kept in the other details.
    assert_eq!(matched(&["name", "createdAt"], &[]), [Name, OtherDetails]);
}

#[test]
fn keeps_all_other_columns_of_an_exported_list_as_other_details() {
    let headers =
        ["Phone", "_id", "name", "email", "phone", "website", "address", "Mobil", "Förnamn", "E-post", "Column 11"];
    let row: &[&str] =
        &["1", "", "Ada Ek", "", "", "", "", "070-123 45 67", "Ada", "ada@example.se", "www.ada.example"];
    let others = [OtherDetails; 4];
    let fields = [DoNotImport, Name, Email, Phone, Website, Address];
    assert_eq!(matched(&headers, &[row, row, row]), [&[OtherDetails][..], &fields, &others].concat());
    // A field without a column of its own is found as in any other file.
    assert_eq!(matched(&["_id", "name", "Telefon"], &[]), [DoNotImport, Name, Phone]);
}

#[test]
fn prefers_phone_to_mobile_unless_mobile_has_far_more_values() {
    let headers = ["Namn", "Telefon", "Mobil"];
    let both: &[&str] = &["Ada", "08-123 456 78", "070-123 45 67"];
    let mobile: &[&str] = &["Bo", "", "070-123 45 68"];
    assert_eq!(matched(&headers, &[both, both, both, mobile]), [Name, Phone, OtherDetails]);
    assert_eq!(matched(&headers, &[both, mobile, mobile, mobile]), [Name, OtherDetails, Phone]);
    assert_eq!(matched(&["Name", "Landline", "Mobile"], &[]), [Name, OtherDetails, Phone]);
    assert_eq!(matched(&["Name", "Home Phone", "Mobile Phone"], &[]), [Name, OtherDetails, Phone]);
}

#[test]
fn maps_a_column_with_a_meaningless_header_by_its_values() {
    let rows: [&[&str]; 2] = [
        &["Ada", "ada@example.se", "+46 70 123 45 67", "https://ada.example", "1985-12-10", "10042"],
        &["Bo", "bo@example.se", "08-123 456 78", "www.bo.example", "01.02.1979", "10043"],
    ];
    let expected = [Name, Email, Phone, Website, OtherDetails, OtherDetails];
    assert_eq!(matched(&["Namn", "A", "B", "C", "D", "E"], &rows), expected);
}

#[test]
fn ignores_a_header_that_its_values_contradict() {
    let rows: [&[&str]; 2] = [&["Ada", "ja", "10042"], &["Bo", "nej", "10043"]];
    assert_eq!(matched(&["Namn", "Email newsletter", "Kund"], &rows), [Name, OtherDetails, OtherDetails]);
    // Without values, this header names the field.
    assert_eq!(matched(&["Namn", "Telefon privat"], &[]), [Name, Phone]);
    assert_eq!(matched(&["Namn", "Telefon privat"], &rows), [Name, OtherDetails]);
}

#[test]
fn maps_a_joined_name_rather_than_its_parts() {
    let joined = matched(&["First name", "Last name", "First name + Last name"], &[]);
    assert_eq!(joined, [DoNotImport, DoNotImport, Name]);
    assert_eq!(matched(&["First name", "Phone"], &[]), [Name, Phone]);
}

#[test]
fn the_reason_names_the_header() {
    let matches = match_columns(&["E-post".into(), "Kundnr".into()], &[]);
    assert_eq!(matches[0].reason, "Matches the header “E-post”");
    assert_eq!(matches[1].reason, "No field matches, so it is kept with the other details");
}

proptest! {
    #[test]
    fn every_column_is_matched_and_no_field_twice(
        picks in proptest::collection::vec((0usize..5, 0usize..24, 0usize..4), 0..12),
        rows in proptest::collection::vec(proptest::collection::vec("\\PC{0,12}|ada@example.se|\\+46701234567", 0..12), 0..4),
    ) {
        let pick = |list: &str, word: usize| {
            let words: Vec<&str> = list.split_whitespace().collect();
            words.get(word % words.len().max(1)).map_or_else(String::new, |word| (*word).to_owned())
        };
        let columns: Vec<String> = picks
            .iter()
            .map(|&(field, word, kind)| match kind {
                0 => format!("Column {word}"),
                1 => pick(FIRST_NAMES, word),
                2 => pick(SYNONYMS[field].secondary, word),
                _ => pick(SYNONYMS[field].exact, word),
            })
            .collect();
        let matches = match_columns(&columns, &rows);
        prop_assert_eq!(matches.iter().map(|m| &m.file_column).collect::<Vec<_>>(), columns.iter().collect::<Vec<_>>());
        for field in [Name, Email, Phone, Website, Address] {
            prop_assert!(matches.iter().filter(|m| m.model_column == field).count() <= 1);
        }
    }
    #[test]
    fn distance_is_symmetric_and_zero_only_for_equal_words(a in "[a-eö]{0,8}", b in "[a-eö]{0,8}") {
        prop_assert_eq!(distance(&a, &b), distance(&b, &a));
        prop_assert_eq!(distance(&a, &b) == 0, a == b);
    }
}

/// Headers from real address books, customer lists and exports of other programs, with the field that each must be
/// mapped to on its own.
const HEADERS: &[(ModelColumn, &str)] = &[
    (
        Name,
        "Name|Full Name|full_name|FullName|Contact Name|contactName|Contact person|Display Name|Customer Name|Name 1",
    ),
    (Name, "Namn|Kundnamn|Kontaktperson|Kundens namn|För- och efternamn|NAMN|Namn på kund|Företag|Företagsnamn|Kund"),
    (Name, "Ansprechpartner|Kundenname|Vor- und Nachname|Vollständiger Name|Firma|Name des Kunden|Kontakt"),
    (Name, "Nom|Nom complet|Nom et prénom|Nom du client|Raison sociale|Nombre|Nombre y apellidos|Nombre del cliente"),
    (Name, "Navn|Kundenavn|Fulde navn|Kontaktnavn|Fornavn og etternavn|Nimi|Asiakkaan nimi|Yhteyshenkilö|Company Name"),
    (
        Email,
        "Email|E-mail|e-Mail Address|EMAIL_ADDRESS|Customer e-mail address|emailAddress|Emial|E-mail 1 - Value|Mail",
    ),
    (Email, "E-post|E-postadress|Epost|Kund-e-post|E-post (arbete)|Mejl|Mejladress|Mailadress|Kundens e-post|Kundmejl"),
    (
        Email,
        "E-Mail-Adresse|Kunden-E-Mail|Kundenemail|E-Mail (geschäftlich)|Mailadresse|E-Mail privat|Firmen-E-Mail|Emailadresse",
    ),
    (
        Email,
        "Courriel|Adresse e-mail|Adresse électronique|E-mail du client|Adresse mail|Correo|Correo electrónico|E-mail cliente",
    ),
    (
        Email,
        "E-mailadresse|E-postadresse|Sähköposti|Sähköpostiosoite|Work Email|Billing e-mail|Contact Email|Primary email",
    ),
    (
        Phone,
        "Phone|Phone Number|Telephone|Tel.|Tel|Phone no.|Mobile|Mobile Phone|Cell phone|Telehpone|Customer phone|phone_number",
    ),
    (
        Phone,
        "Telefon|Telefonnummer|Tfn|Tel.nr|Mobil|Mobilnummer|Mobiltelefon|Hemtelefon|Arbetstelefon|Telefon dagtid|Kundens telefonnr",
    ),
    (
        Phone,
        "Rufnummer|Telefon-Nr.|Handy|Handynummer|Telefon (privat)|Festnetz|Mobilnummer Kunde|Kontakttelefon|Telefon geschäftlich",
    ),
    (
        Phone,
        "Téléphone|Tél.|Numéro de téléphone|Portable|Téléphone portable|Teléfono|Número de teléfono|Móvil|Teléfono móvil",
    ),
    (
        Phone,
        "Tlf|Tlf.nr|Telefonnr.|Puhelin|Puhelinnumero|Matkapuhelin|Business Phone|Home Phone|Phone 1 - Value|Contact number",
    ),
    (Website, "Website|Web site|Web Page|URL|Homepage|Company website|www|Website URL|Website 1 - Value|Webiste"),
    (
        Website,
        "Hemsida|Webbplats|Webbadress|Företagets hemsida|Webseite|Internetadresse|Site web|Site internet|Página web|Sitio web",
    ),
    (Website, "Hjemmeside|Nettside|Kotisivu|Verkkosivusto"),
    (
        Address,
        "Address|Street Address|Postal address|Mailing Address|Home Address|Address 1|Address line 1|Billing address|Street",
    ),
    (
        Address,
        "Adress|Gatuadress|Postadress|Besöksadress|Gata|Leveransadress|Hemadress|Utdelningsadress|Adresss|Adress (faktura)",
    ),
    (
        Address,
        "Adresse|Anschrift|Straße|Straße und Hausnummer|Rechnungsadresse|Strasse Nr.|Kundenadresse|Adresse postale|Rue|Dirección",
    ),
    (Address, "Gateadresse|Postadresse|Osoite|Katuosoite|Calle|Domicilio|Adresse du client"),
    (
        OtherDetails,
        "ID|No.|Kundnr|Kundnummer|Customer number|Customer ID|Kunden-Nr.|Kundennummer|Org.nr|Organisationsnummer|Personnummer",
    ),
    (
        OtherDetails,
        "City|Town|Ort|Postort|Stadt|Ville|Ciudad|Kaupunki|Zip|Zip code|Postcode|Postal Code|Postnr|Postnummer|PLZ|Code postal",
    ),
    (
        OtherDetails,
        "Country|Land|Pays|País|State|County|Kommun|Län|Region|Country code|Landskod|Housenumber|Hausnummer|PO Box",
    ),
    (
        OtherDetails,
        "Notes|Anteckning|Bemerkung|Kommentar|Comment|Remarks|Beschreibung|Övrigt|Description|Status|Type|Typ|Category",
    ),
    (
        OtherDetails,
        "Contract|Kontrakt|Avtal|Contract no|Fax|Faxnummer|Telefax|Telefaxnummer|Laufnummer|Title|Anrede|Job title|Befattning",
    ),
    (
        OtherDetails,
        "Username|User name|Login|Password|IP address|MAC address|Email type|E-mail 1 - Type|Email opt-out|Email newsletter",
    ),
    (
        OtherDetails,
        "Email verified|Phone type|Phone extension|Telefontyp|Address type|Product name|File name|Event name|Model name|Pet name",
    ),
    (
        OtherDetails,
        "Contact owner|Contact ID|Contact type|Contact date|Last contacted date|Contact source|Account manager|Säljare|Verkäufer",
    ),
    (
        OtherDetails,
        "Date of birth|Född|Geburtsdatum|Created|Skapad|Registration number|Regnr|Kennzeichen|VIN|Fahrgestellnummer|Mileage|Miltal",
    ),
    (
        OtherDetails,
        "Brand|Märke|Marke|Modell|Model|Bil|Vehicle|Fahrzeug|Price|Pris|Betrag|Discount|Rabatt|Umsatz|Antal|Quantity|Invoice|Faktura",
    ),
    (
        OtherDetails,
        "Samtycke|Consent|Newsletter|Nyhetsbrev|Language|Språk|Gender|Kön|IBIN|Hash|Column1|A|Website visits|Site manager|Middle name",
    ),
];

#[test]
fn maps_headers_of_real_files_correctly() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (expected, headers) in HEADERS {
        for header in headers.split('|') {
            count += 1;
            let found = matched(&[header], &[])[0];
            if found != *expected {
                wrong.push((header, found));
            }
        }
    }
    assert_eq!(wrong, []);
    assert!(count >= 150, "{count}");
}
