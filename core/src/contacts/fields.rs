//! The fields of contacts.

use super::ContactSummary;
use crate::import::ModelColumn;
use crate::lists::{Field, Kind, Personal, Record, Synonyms, fields};

// The synonyms are headers of address books in English, Swedish, German, French, Spanish, Danish, Norwegian and Finnish,
// in lower case, without accents, spaces and punctuation.
impl Record for ContactSummary {
    fields!(
        id["_id"] = Field::new(Kind::Id),
        name = Field::text(Personal::Erased).imported(Synonyms {
            column: ModelColumn::Name,
            exact: "name fullname contactname contact contactperson displayname firstandlastname firstnamelastname \
                namn fullstandigtnamn helanamnet kontakt kontaktnamn kontaktperson visningsnamn forochefternamn \
                fornamnochefternamn fornamnefternamn vollstandigername ansprechpartner ansprechpartnerin anzeigename \
                vorundnachname vornamenachname vornameundname nom nomcomplet nomducontact nometprenom prenometnom nomprenom \
                nombre nombrecompleto nombreyapellidos contacto personadecontacto navn fuldenavn fulltnavn kontaktnavn \
                fornavnogetternavn fornavnogefternavn nimi kokonimi yhteyshenkilo",
            secondary: "customername clientname buyername ownername kundnamn kundensnamn kundenname kaufername haltername \
                nomduclient nombredelcliente nombredecliente kundenavn asiakkaannimi asiakasnimi",
            weak: "person customer client buyer kund kopare kunde kaufer halter cliente acheteur asiakas company companyname \
                organization organisation organizationname organisationname account accountname foretag foretagsnamn bolag \
                bolagsnamn firma firmenname firmanamn unternehmen unternehmensname societe entreprise raisonsociale \
                nomdelentreprise empresa razonsocial nombredelaempresa firmanavn virksomhed selskap yritys yrityksennimi",
        }),
        email = Field::email(Personal::Erased).imported(Synonyms {
            column: ModelColumn::Email,
            exact: "email emailaddress emailid mail mailaddress epost epostadress mejl mejladress mailadress emailadress \
                emailadresse mailadresse epostadresse elektroniskpost courriel adresseemail adressemail adresseelectronique \
                adressecourriel correo correoelectronico direcciondecorreo direcciondecorreoelectronico direcciondeemail \
                direccionemail sahkoposti sahkopostiosoite sposti useremail useremailaddress",
            secondary: "",
            weak: "",
        }),
        phone = Field::text(Personal::Erased).imported(Synonyms {
            column: ModelColumn::Phone,
            exact: "phone phonenumber phoneno phonenr telephone telephonenumber telephoneno tel telno telnumber telefon \
                telefonnummer telefonnr telnr telefonummer tfn tfnnr tlf tlfnr rufnummer fon fonnummer numerodetelephone \
                numtelephone telephonefixe numerotelephone telefono numerodetelefono notelefono numtelefono puhelin \
                puhelinnumero puh puhnro",
            secondary: "mobile mobilephone mobilenumber mobileno mobil mobilnummer mobiltelefon mobilnr mobiltelefonnummer cell \
                cellphone cellnumber handy handynummer handynr portable telephoneportable telephonemobile gsm movil \
                telefonomovil celular contactnumber contactno \
                matkapuhelin matkapuhelinnumero kannykka kannykkanumero cellph mobileph mobph ph phno",
            weak: "kontaktnummer landline festnetz festnetznummer fasttelefon telefonofijo homeph hmph workph wkph busph dayph eveph",
        }),
        website = Field::text(Personal::Erased).in_bulk().imported(Synonyms {
            column: ModelColumn::Website,
            exact: "website webpage homepage web url www websiteurl weburl webaddress websiteaddress hemsida webbplats \
                webbsida webbadress webadress webb hemsidesadress webseite internetseite webadresse internetadresse siteweb \
                siteinternet pageweb adresseweb urldusite sitioweb paginaweb direccionweb hjemmeside nettside nettsted \
                nettadresse webside kotisivu kotisivut verkkosivu verkkosivut verkkosivusto wwwsivu",
            secondary: "internet domainname webdomain companydomain domannamn firmendomain nomdedomaine",
            weak: "site domain doman domaine dominio sitio domane",
        }),
        address = Field::text(Personal::Erased).in_bulk().imported(Synonyms {
            column: ModelColumn::Address,
            exact: "address postaladdress streetaddress mailingaddress fulladdress adress gatuadress gata gatuochnummer besoksadress \
                adresse anschrift postanschrift adressepostale direccion direccionpostal domicilio gateadresse \
                besoksadresse postadresse vejadresse osoite katuosoite postiosoite",
            secondary: "street streetname streetandnumber addressline1 addressline address1 gatunamn postadress adressrad1 \
                adressrad adress1 utdelningsadress strasse strassenname strassehausnummer strasseundhausnummer strassehausnr \
                strasseundnummer strassenr lieferadresse rechnungsadresse rue adresse1 calle callenumero vej \
                vejnavn gade gate gatenavn lahiosoite katu",
            weak: "",
        }),
        import_source["importSource"] = Field::text(Personal::Business).derived(),
        imported_at["importedAt"] = Field::new(Kind::Time),
        import_batch_id["importBatchId"] = Field::new(Kind::Id).not_exported(),
        created_at["createdAt"] = Field::new(Kind::Time),
        updated_at["updatedAt"] = Field::new(Kind::Time),
        version = Field::new(Kind::Number).not_exported(),
    );
}
