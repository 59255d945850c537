//! The people and companies of the demo, by country: names, addresses and mail domains that are common there, and
//! telephone numbers that are reserved for fiction. Also the language of what a dealer has typed.

use forecourt_core::text::fold;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Country {
    Sweden,
    Britain,
    Germany,
}

/// What a dealer has typed, in English and in Swedish.
pub type Text = [&'static str; 2];

/// The lists of a country. The numbers of first and last names share no factor, so that combinations repeat only after
/// their product.
struct Lists {
    first_names: [&'static str; 31],
    last_names: [&'static str; 40],
    streets: [&'static str; 9],
    /// Postal codes and towns.
    towns: [(&'static str, &'static str); 10],
    mail_domains: [&'static str; 3],
    trades: [&'static str; 7],
    legal_form: &'static str,
}

#[rustfmt::skip]
const SWEDEN: Lists = Lists {
    first_names: [
        "Alva", "Anders", "Axel", "Birgitta", "Björn", "Ebba", "Elsa", "Emil", "Freja", "Greta", "Gustav", "Hanna",
        "Ingrid", "Jonas", "Karin", "Lars", "Liam", "Linnea", "Ludvig", "Magnus", "Malin", "Nils", "Oskar", "Petra",
        "Saga", "Signe", "Stefan", "Tove", "Viktor", "Wilma", "Åsa",
    ],
    last_names: [
        "Andersson", "Backman", "Bergström", "Björk", "Blomqvist", "Brännström", "Dahl", "Edlund", "Ekman", "Engström",
        "Forsberg", "Forsman", "Granström", "Hedlund", "Hellström", "Holmgren", "Isaksson", "Jakobsson", "Karlsson",
        "Lindberg", "Lindgren", "Lundmark", "Löfgren", "Marklund", "Norberg", "Norén", "Nyström", "Olofsson", "Persson",
        "Rönnlund", "Sandberg", "Sjöberg", "Sjögren", "Stenman", "Sundström", "Söderlund", "Vikström", "Wallin",
        "Åkesson", "Öberg",
    ],
    streets: [
        "Storgatan", "Hamngatan", "Kungsgatan", "Parkvägen", "Skolgatan", "Industrivägen", "Björkvägen", "Älvgatan",
        "Östra Strandgatan",
    ],
    towns: [
        ("903 26", "Umeå"), ("904 20", "Umeå"), ("931 31", "Skellefteå"), ("891 33", "Örnsköldsvik"),
        ("911 32", "Vännäs"), ("921 31", "Lycksele"), ("972 31", "Luleå"), ("852 30", "Sundsvall"),
        ("914 32", "Nordmaling"), ("941 31", "Piteå"),
    ],
    mail_domains: ["norrpost.example", "hemmail.example", "brevet.example"],
    trades: ["Bygg", "Åkeri", "Måleri", "El", "Bageri", "Taxi", "Trädgård"],
    legal_form: "AB",
};

#[rustfmt::skip]
const BRITAIN: Lists = Lists {
    first_names: [
        "Aisha", "Alice", "Amir", "Beth", "Callum", "Charlotte", "Daniel", "Eleanor", "Ewan", "Freya", "George",
        "Hannah", "Harry", "Imogen", "Jack", "Jasmine", "Joseph", "Katie", "Leah", "Lewis", "Martin", "Megan", "Nadia",
        "Oliver", "Priya", "Rhys", "Rosie", "Samuel", "Sophie", "Thomas", "Zoë",
    ],
    last_names: [
        "Abbott", "Ahmed", "Baker", "Barnes", "Bennett", "Brooks", "Carter", "Clarke", "Cole", "Cooper", "Davies",
        "Edwards", "Evans", "Fletcher", "Foster", "Gibson", "Green", "Hall", "Harris", "Hughes", "Jenkins", "Kaur",
        "Khan", "Lloyd", "Marsh", "Mason", "Morgan", "Murray", "Owen", "Palmer", "Patel", "Phillips", "Reed", "Shaw",
        "Stone", "Thompson", "Turner", "Walsh", "Watson", "Wright",
    ],
    streets: [
        "Harbour Road", "High Street", "Church Lane", "Station Road", "Park Row", "Victoria Terrace", "Mill Lane",
        "Queens Avenue", "Orchard Close",
    ],
    towns: [
        ("BS1 4QA", "Bristol"), ("BS6 5TR", "Bristol"), ("BA1 2LN", "Bath"), ("GL1 3HF", "Gloucester"),
        ("GL50 1PX", "Cheltenham"), ("TA1 4DG", "Taunton"), ("EX4 3SB", "Exeter"), ("CF10 2EQ", "Cardiff"),
        ("NP20 1FW", "Newport"), ("SN1 5BD", "Swindon"),
    ],
    mail_domains: ["homepost.example", "westmail.example", "letterbox.example"],
    trades: ["Plumbing", "Haulage", "Decorating", "Electrical", "Bakery", "Cabs", "Gardens"],
    legal_form: "Ltd",
};

#[rustfmt::skip]
const GERMANY: Lists = Lists {
    first_names: [
        "Anja", "Anton", "Ben", "Birgit", "Clara", "Dieter", "Emma", "Felix", "Finn", "Frieda", "Gesa", "Hannes",
        "Heike", "Ida", "Jan", "Jürgen", "Katrin", "Lars", "Lena", "Lotte", "Malte", "Marie", "Niklas", "Nele", "Oskar",
        "Petra", "Ralf", "Sabine", "Tim", "Ute", "Wiebke",
    ],
    last_names: [
        "Ahrens", "Arndt", "Bartels", "Becker", "Behrens", "Böttcher", "Brinkmann", "Bruns", "Cordes", "Dierks",
        "Ehlers", "Fischer", "Franke", "Gerdes", "Hansen", "Harms", "Hoffmann", "Jansen", "Kaiser", "Kessler", "Koch",
        "Kröger", "Kruse", "Lange", "Lüders", "Meyer", "Müller", "Neumann", "Oltmann", "Peters", "Petersen", "Richter",
        "Rohde", "Schäfer", "Schmidt", "Schröder", "Stelling", "Vogel", "Wagner", "Wolters",
    ],
    streets: [
        "Lindenstraße", "Hauptstraße", "Am Deich", "Bahnhofstraße", "Hafenstraße", "Kirchweg", "Gartenstraße",
        "Schulstraße", "Weserallee",
    ],
    towns: [
        ("28203", "Bremen"), ("28209", "Bremen"), ("28757", "Bremen"), ("27568", "Bremerhaven"), ("27749", "Delmenhorst"),
        ("26122", "Oldenburg"), ("28832", "Achim"), ("27283", "Verden"), ("28844", "Weyhe"), ("28865", "Lilienthal"),
    ],
    mail_domains: ["nordbrief.example", "netzpost.example", "hansemail.example"],
    trades: ["Bau", "Spedition", "Malerbetrieb", "Elektro", "Bäckerei", "Taxi", "Gartenbau"],
    legal_form: "GmbH",
};

/// The number of people with different names.
pub const NAMES: usize = 31 * 40;

/// A person; with a company, the person who speaks for it.
pub struct Person {
    pub name: String,
    pub email: String,
    pub phone: String,
    pub street: String,
    pub postal_code: &'static str,
    pub town: &'static str,
    /// The name of the person's company, if there is one.
    pub company: Option<String>,
    /// The domain of the company's website, or of one of the person's own.
    pub website: String,
}

impl Country {
    /// Returns the country with this ISO code: Sweden for any other than `GB` and `DE`.
    pub fn of(code: &str) -> Self {
        match code {
            "GB" => Country::Britain,
            "DE" => Country::Germany,
            _ => Country::Sweden,
        }
    }

    /// Returns the text as a dealer in this country has typed it. The demo has no German texts.
    pub fn text(self, [english, swedish]: Text) -> &'static str {
        if self == Country::Sweden { swedish } else { english }
    }

    fn lists(self) -> &'static Lists {
        match self {
            Country::Sweden => &SWEDEN,
            Country::Britain => &BRITAIN,
            Country::Germany => &GERMANY,
        }
    }

    pub fn person(self, i: usize, is_company: bool) -> Person {
        let lists = self.lists();
        let first = lists.first_names[(i * 7) % 31];
        let last = lists.last_names[(i * 9) % 40];
        let (postal_code, town) = lists.towns[(i * 3 + i / 10) % 10];
        let (street, number) = (lists.streets[(i * 5 + i / 9) % 9], 1 + (i * 13) % 90);
        let trade = lists.trades[i % 7];
        let website = match is_company {
            true => format!("{}-{}.example", fold(last), fold(trade)),
            false => format!("{}.example", fold(last)),
        };
        let domain = if is_company { website.as_str() } else { lists.mail_domains[(i / 3) % 3] };
        // Only load tests have so many records that the names repeat.
        let number_of_name = if i < NAMES { String::new() } else { (i / NAMES + 1).to_string() };
        Person {
            name: format!("{first} {last}"),
            email: format!("{}.{}{number_of_name}@{domain}", fold(first), fold(last)),
            phone: self.phone(i),
            street: match self {
                Country::Britain => format!("{number} {street}"),
                _ => format!("{street} {number}"),
            },
            postal_code,
            town,
            company: is_company.then(|| format!("{last} {trade} {}", lists.legal_form)),
            website,
        }
    }

    /// Returns a telephone number of a range that is reserved for fiction: by PTS, Ofcom and the Bundesnetzagentur.
    fn phone(self, i: usize) -> String {
        let two = |number: usize| format!("{:02}", number % 100);
        match self {
            Country::Sweden => match (i * 37) % 495 {
                mobile @ 0..95 => format!("+46 70 174 06 {}", two(mobile + 5)),
                other @ 95..195 => format!("+46 31 390 06 {}", two(other - 95)),
                other @ 195..295 => format!("+46 40 628 04 {}", two(other - 195)),
                other @ 295..395 => format!("+46 8 465 004 {}", two(other - 295)),
                other => format!("+46 980 31 92 {}", two(other - 395)),
            },
            Country::Britain => format!("+44 7700 900{:03}", (i * 37) % 1_000),
            Country::Germany => match (i * 37) % 1_200 {
                mobile @ 0..100 => format!("+49 171 39200 {}", two(mobile)),
                mobile @ 100..200 => format!("+49 176 040690 {}", two(mobile - 100)),
                other => format!("+49 30 23125 {:03}", other - 200),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn people_of_the_demo_have_different_names_and_mails_without_numbers() {
        for country in [Country::Sweden, Country::Britain, Country::Germany] {
            let (mut names, mut emails) = (HashSet::new(), HashSet::new());
            for i in 0..3 * NAMES {
                let Person { name, email, .. } = country.person(i, false);
                assert_eq!(names.insert(name), i < NAMES, "{country:?} {i}");
                let has_number = email.contains(|char: char| char.is_ascii_digit());
                assert_eq!(has_number, i >= NAMES, "{email}");
                assert!(email.is_ascii() && email.ends_with(".example") && emails.insert(email), "{country:?} {i}");
            }
        }
    }

    #[test]
    fn only_dealers_in_sweden_type_in_swedish() {
        let countries = [Country::Sweden, Country::Britain, Country::Germany];
        assert_eq!(countries.map(|country| country.text(["Sales", "Sälj"])), ["Sälj", "Sales", "Sales"]);
    }

    #[test]
    fn telephone_numbers_do_not_repeat_among_the_records_of_a_list() {
        for country in [Country::Sweden, Country::Britain, Country::Germany] {
            let numbers: HashSet<_> = (0..400).map(|i| country.person(i, false).phone).collect();
            assert_eq!(numbers.len(), 400, "{country:?}");
        }
    }
}
