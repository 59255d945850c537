//! Headers of columns in English, Swedish, German, French, Spanish, Danish, Norwegian and Finnish, in addition to those
//! that name a field of contacts ([`ContactSummary`]). Each is in the form of [`words`], with the words
//! concatenated.

use super::ModelColumn;
use crate::contacts::ContactSummary;
use crate::lists::{Record, Synonyms, count_imported, imported};
use crate::text;

/// The headers of each field of contacts that can be imported. Collected at compile time, so that the browser's import
/// does not contain the other fields.
pub(super) const SYNONYMS: [Synonyms; count_imported(ContactSummary::FIELDS)] = imported(ContactSummary::FIELDS);

/// Headers of columns that contain full names: those of the field `name`, which is the first.
pub(super) const FULL_NAMES: &str = SYNONYMS[0].exact;
const _: () = assert!(matches!(SYNONYMS[0].column, ModelColumn::Name));

/// Headers of columns that contain only first names.
pub(super) const FIRST_NAMES: &str = "firstname givenname forename fornamn tilltalsnamn vorname rufname prenom \
    nombredepila primernombre fornavn etunimi";

/// Headers of columns that contain only last names.
pub(super) const LAST_NAMES: &str = "lastname surname familyname efternamn nachname familienname zuname nomdefamille \
    nomfamille apellido apellidos primerapellido etternavn efternavn sukunimi";

/// Headers of columns that aren't contact fields, even if they resemble the name of one.
const OTHER_HEADERS: &str = "\
    id uid guid key no nr number num numero nummer idnr lopnr lopnummer laufnummer ref reference referens referenz index rad \
    row zeile pos position date datum fecha dato pvm paivamaara created createdat createdon updated updatedat skapad \
    andrad erstellt geandert modified time tid uhrzeit year ar jahr annee ano month manad monat age alder alter birthday \
    birthdate dateofbirth fodelsedatum fodd geburtsdatum geburtstag datedenaissance fechadenacimiento fodselsdato \
    syntymaaika personnummer personnr ssn socialsecuritynumber dni nif cif vat vatno vatnumber vatid momsnr momsnummer \
    ustid ustidnr umsatzsteuerid steuernummer taxid taxnumber siret siren orgnr orgnummer organisationsnummer \
    organisationnumber organizationnumber cvr ytunnus handelsregisternummer customerno customernumber customerid custno \
    clientid clientnumber kundnr kundnummer kundid kundennr kundennummer kundenid knr debitor debitorennummer numeroclient \
    numerodecliente kundenr kundenummer asiakasnumero accountno accountnumber accountid membernumber medlemsnummer \
    mitgliedsnummer city town ort stad stadt wohnort ville ciudad poblacion localidad by poststed sted kaupunki \
    postitoimipaikka postort zip zipcode postcode postalcode postnr postnummer plz postleitzahl codepostal cp \
    codigopostal postinumero country land pays pais maa countrycode landskod landkode state province region lan kommun \
    county bundesland departement provincia comunidad housenumber hausnummer hausnr husnummer husnr apartment lagenhet \
    floor building district suburb box postbox postfach pobox co note notes note anteckning anteckningar notering \
    kommentar kommentarer kommentti comment comments commentaire comentario comentarios remark remarks bemerkung \
    bemerkungen notiz notizen ovrigt info information description beskrivning beschreibung descripcion details memo text \
    status type typ tipo kind category kategori kategorie categorie categoria group grupp gruppe groupe grupo segment \
    source kalla quelle origine origen tag tags etikett label labels link links lank lankar annonslank permalink list lists lista listor language sprak sprache langue \
    idioma sprog kieli gender sex kon geschlecht sexe sexo salutation anrede title titel titre titulo civilite prefix suffix \
    tilltal jobtitle job position befattning yrke beruf profession profesion role roll rolle rol department avdelning \
    abteilung branch filial filiale bransch industry branche sector team initials nickname smeknamn spitzname middlename \
    mellannamn zweitername maidenname username login user password losenord passwort contract contrat contrato kontrakt \
    avtal vertrag contractno avtalsnr content context fax faxno faxnr faxnumber faxnummer telefax telefaxnr telefaxnummer \
    telefaxnumber faksi skype twitter facebook linkedin instagram xing price pris preis prix precio amount belopp betrag \
    montant importe total summa summe somme suma quantity antal anzahl quantite cantidad sum balance saldo revenue umsatz \
    omsattning turnover discount rabatt remise descuento currency valuta wahrung devise moneda invoice faktura rechnung \
    order ordernr ordernummer bestallning bestellung commande pedido product produkt artikel article articulo item sku brand \
    marke marque marca make marka model modell modele modelo modellnamn car bil auto fahrzeug vehicle voiture vehiculo coche \
    fordon regnr registreringsnummer registrationnumber kennzeichen plate licenseplate licenceplate immatriculation matricula \
    nummerplade vin chassisnumber chassinr fahrgestellnummer fahrgestellnr numerodeserie mileage miltal kilometerstand km \
    color colour farg farbe couleur fuel drivmedel kraftstoff salesperson salesman seller saljare verkaufer vendeur vendedor \
    selger saelger myyja dealer aterforsaljare handler handlare concessionnaire agent agare owner contactowner recordowner \
    accountowner assignedto createdby updatedby skapadav manager chef ansvarig handlaggare betreuer active aktiv aktiverad \
    actif activo consent samtycke einwilligung gdpr newsletter nyhetsbrev optin optout unsubscribed subscribed blocked \
    deleted verified yes ja filename path image bild photo foto picture logo iban bic bankgiro plusgiro bank konto \
    kontonummer paymentterms betalningsvillkor ip ipaddress macaddress latitude longitude lat lng timezone tidszon";

/// Words beside a field's name that keep its meaning: whose it is, or which of several.
const NEUTRAL_WORDS: &str = "\
    customer customers client clients kund kunden kundens kunds kunde kunden kundes cliente clientes contact contacts \
    contacto kontakt kontaktens kontaktperson contactperson person personal persons ansprechpartner ansprechpartners work \
    worker arbete arbets jobb job job arbeit arbeits travail trabajo office kontor kontors buro bureau business geschaft \
    geschaftlich dienstlich professionnel professionnelle profesional pro company companys foretag foretags foretagets \
    bolag bolagets firma firmen firmans unternehmen unternehmens entreprise societe empresa organization organisation \
    virksomhed selskap yritys yrityksen asiakas asiakkaan private privat privata privater private prive privee privado home \
    hem bostad hemma personnel particular particulier main primary huvud haupt principal principale standard default \
    preferred day dag dags dagtid tagsuber evening kvall abends buyer buyers kopare koparen koparens kaufer acheteur \
    comprador owners agarens halter halters driver invoice billing faktura fakturerings fakturera rechnungs facturation \
    facturacion delivery leverans liefer livraison entrega visiting besoks postal post mailing direct direkt direkte \
    current aktuell present permanent legal invoicing value formatted your ditt din ihre votre su tu new mobile \
    mobil of the a an de du des d der die das den dem det del la le les el los l en av pa till to for fur fra \
    og och and und et y i";

/// Words beside a field's name that change its meaning.
const CHANGING_WORDS: &str = "\
    type typ id status date datum time tid source owner list lists count antal anzahl opt in out optin optout \
    newsletter nyhetsbrev consent samtycke subscription subscribed unsubscribed marketing reklam werbung sent skickad \
    opened clicked bounce bounced verified confirmed validated missing saknas hash domain provider format \
    extension ext anknytning prefix suffix code kod area country city town zip region state user login password product \
    produkt file fil datei event pet model modell car bil vehicle fahrzeug brand marke project projekt campaign kampanj \
    display nick middle maiden second short manager seller saljare verkaufer salesperson sales dealer agent employee \
    medarbetare mitarbeiter spouse child parent father mother fax telefax ip mac visits besok title titel \
    language sprak note notes comment kommentar description preference method permission ok yes no ja nej";

pub(super) fn is_in_list(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|other| other == word)
}

/// Returns whether this concatenated header is known not to be a contact field.
pub(super) fn is_other_header(concatenated: &str) -> bool {
    is_in_list(OTHER_HEADERS, concatenated)
}

/// Returns whether this word beside a field's name keeps its meaning.
pub(super) fn keeps_meaning(word: &str) -> bool {
    is_in_list(NEUTRAL_WORDS, word)
}

pub(super) fn changes_meaning(word: &str) -> bool {
    is_in_list(CHANGING_WORDS, word)
}

/// Splits a header into folded words: "E-post (Arbete)" into "e", "post", "arbete", and "contactEmail" into "contact",
/// "email".
pub(super) fn words(header: &str) -> Vec<String> {
    let mut parted = String::with_capacity(header.len() + 4);
    let mut before = ' ';
    for c in header.chars() {
        if (before.is_lowercase() && c.is_uppercase()) || (before.is_alphabetic() && c.is_ascii_digit()) {
            parted.push(' ');
        }
        parted.push(c);
        before = c;
    }
    let folded = text::fold(&parted);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
