//! The corporations of the demo, their roles and their users.

use super::dealer::Size;
use super::people::Text;
use forecourt_core::permissions::{Permissions, UserType};

/// A role of the demo, with the permissions that it grants on each resource, given by id.
pub struct Role {
    pub name: Text,
    pub description: Text,
    pub grants: &'static [(&'static str, Permissions)],
}

/// A user of the demo.
pub struct DemoUser {
    pub email: &'static str,
    pub name: (&'static str, &'static str),
    /// A phone number from a range that is reserved for fiction.
    pub mobile: &'static str,
    pub user_type: UserType,
    /// Index into [`ROLES`] of a User's role. `None` for an Admin, who has the role that every corporation starts with,
    /// and for a Super Admin, who has no role.
    pub role: Option<usize>,
    /// How many days ago the user joined.
    pub joined: i64,
    /// How many days ago the user was banned, and why.
    pub ban: Option<(i64, &'static str)>,
}

/// The company record (organization) of a corporation of the demo.
pub struct Record {
    pub number: &'static str,
    /// Street, postal code and city.
    pub address: [&'static str; 3],
    pub email: &'static str,
    pub phone: &'static str,
    pub category: &'static str,
    pub legal_form: &'static str,
}

/// A corporation of the demo.
pub struct Corporation {
    pub name: &'static str,
    pub record: Record,
    /// The code of the corporation's country, which determines the currency and VAT rate of its vehicles.
    pub country: &'static str,
    /// How many records a dealer has; `None` for the platform.
    pub size: Option<Size>,
    /// Whether it sells only vehicles of others.
    pub is_broker: bool,
    pub users: &'static [DemoUser],
}

const READ: Permissions = Permissions { can_read: true, ..Permissions::NONE };

pub const ROLES: &[Role] = &[
    Role {
        name: ["Sales", "Sälj"],
        description: [
            "Keeps contacts, customers, invoices, vehicles and agreements",
            "Sköter kontakter, kunder, fakturor, fordon och avtal",
        ],
        grants: &[
            ("contacts", Permissions::ALL),
            ("contacts.list", Permissions::ALL),
            ("contacts.imports", Permissions::ALL),
            ("customers", Permissions::ALL),
            ("invoices", Permissions::ALL),
            ("vehicles", Permissions::ALL),
            ("vehicles.list", Permissions::ALL),
            ("vehicles.costs", READ),
            ("agreements", Permissions::ALL),
        ],
    },
    Role {
        name: ["Reception", "Reception"],
        description: [
            "Looks up contacts, customers, vehicles and agreements",
            "Slår upp kontakter, kunder, fordon och avtal",
        ],
        grants: &[
            ("contacts", READ),
            ("contacts.list", READ),
            ("customers", READ),
            ("vehicles", READ),
            ("vehicles.list", READ),
            ("agreements", READ),
        ],
    },
    Role {
        name: ["Workshop", "Verkstad"],
        description: ["Keeps vehicles and their costs", "Sköter fordon och deras kostnader"],
        grants: &[
            ("customers", READ),
            ("vehicles", Permissions::ALL),
            ("vehicles.list", Permissions::ALL),
            ("vehicles.costs", Permissions::ALL),
        ],
    },
    Role {
        name: ["Accounts", "Ekonomi"],
        description: [
            "Keeps customers and invoices, and looks up agreements",
            "Sköter kunder och fakturor, och slår upp avtal",
        ],
        grants: &[
            ("customers", Permissions::ALL),
            ("invoices", Permissions::ALL),
            ("vehicles", READ),
            ("vehicles.list", READ),
            ("vehicles.costs", READ),
            ("agreements", READ),
        ],
    },
];

/// A role's index in [`ROLES`].
pub const SALES: Option<usize> = Some(0);
const RECEPTION: Option<usize> = Some(1);
const WORKSHOP: Option<usize> = Some(2);
const ACCOUNTS: Option<usize> = Some(3);

const fn user(
    email: &'static str,
    name: (&'static str, &'static str),
    mobile: &'static str,
    user_type: UserType,
    role: Option<usize>,
    joined: i64,
) -> DemoUser {
    DemoUser { email, name, mobile, user_type, role, joined, ban: None }
}

pub const CORPORATIONS: &[Corporation] = &[
    Corporation {
        name: "Forecourt",
        record: Record {
            number: "559360-9844",
            address: ["Hamngatan 4", "111 47", "Stockholm"],
            email: "office@forecourt.example",
            phone: "+46 8 465 004 10",
            category: "Programvara",
            legal_form: "Aktiebolag",
        },
        country: "SE",
        size: None,
        is_broker: false,
        users: &[user(
            "super@forecourt.example",
            ("Sigrid", "Ek"),
            "+46 70 174 06 05",
            UserType::SuperAdmin,
            None,
            1_120,
        )],
    },
    Corporation {
        name: "Nordbil AB",
        record: Record {
            number: "556100-0059",
            address: ["Industrivägen 12", "903 26", "Umeå"],
            email: "info@nordbil.example",
            phone: "+46 90 17 06 30",
            category: "Bilhandlare",
            legal_form: "Aktiebolag",
        },
        country: "SE",
        size: Some(Size { contacts: 260, customers: 186, work_invoices: 214, sold: 80, has_imports: true }),
        is_broker: false,
        users: &[
            user("admin@nordbil.example", ("Ada", "Lindqvist"), "+46 70 174 06 11", UserType::Admin, None, 1090),
            user("sales@nordbil.example", ("Hugo", "Berg"), "+46 70 174 06 24", UserType::User, SALES, 960),
            user("erik.nyman@nordbil.example", ("Erik", "Nyman"), "+46 70 174 06 41", UserType::User, SALES, 870),
            user("sofia.lund@nordbil.example", ("Sofia", "Lund"), "+46 70 174 06 47", UserType::User, SALES, 540),
            user(
                "johan.strand@nordbil.example",
                ("Johan", "Strand"),
                "+46 70 174 06 52",
                UserType::User,
                WORKSHOP,
                790,
            ),
            user("lina.oberg@nordbil.example", ("Lina", "Öberg"), "+46 70 174 06 63", UserType::User, ACCOUNTS, 660),
            user("per.hedman@nordbil.example", ("Per", "Hedman"), "+46 70 174 06 69", UserType::User, WORKSHOP, 230),
            user("tove.sand@nordbil.example", ("Tove", "Sand"), "+46 70 174 06 77", UserType::User, RECEPTION, 48),
            DemoUser {
                ban: Some((96, "Har slutat, men loggade in från en konkurrents kontor.")),
                ..user(
                    "niklas.frisk@nordbil.example",
                    ("Niklas", "Frisk"),
                    "+46 70 174 06 83",
                    UserType::User,
                    SALES,
                    720,
                )
            },
            user("clerk@nordbil.example", ("Maja", "Holm"), "+46 70 174 06 36", UserType::User, RECEPTION, 410),
        ],
    },
    Corporation {
        name: "Autohaus Weser GmbH",
        record: Record {
            number: "HRB 31045",
            address: ["Osterdeich 88", "28205", "Bremen"],
            email: "kontakt@weser.example",
            phone: "+49 421 555 0140",
            category: "Car dealer and workshop",
            legal_form: "GmbH",
        },
        country: "DE",
        size: Some(Size { contacts: 124, customers: 88, work_invoices: 96, sold: 44, has_imports: false }),
        is_broker: false,
        users: &[
            user("admin@weser.example", ("Jonas", "Möller"), "+49 171 392 00 14", UserType::Admin, None, 1010),
            user("export@weser.example", ("Karin", "Ahlgren"), "+46 70 174 06 58", UserType::Admin, None, 620),
            user("sales@weser.example", ("Lena", "Brandt"), "+49 171 392 00 27", UserType::User, SALES, 280),
        ],
    },
    Corporation {
        name: "Kestrel Cars Ltd",
        record: Record {
            number: "09460213",
            address: ["17 Harbour Road", "BS1 5TY", "Bristol"],
            email: "hello@kestrel.example",
            phone: "+44 117 496 0142",
            category: "Vehicle broker",
            legal_form: "Private limited company",
        },
        country: "GB",
        size: Some(Size { contacts: 118, customers: 90, work_invoices: 0, sold: 36, has_imports: false }),
        is_broker: true,
        users: &[
            user("admin@kestrel.example", ("Grace", "Whitfield"), "+44 7700 900142", UserType::Admin, None, 940),
            user("broker@kestrel.example", ("Owen", "Pryce"), "+44 7700 900157", UserType::Admin, None, 700),
            user("trainee@kestrel.example", ("Nia", "Rhys"), "+44 7700 900163", UserType::User, RECEPTION, 75),
        ],
    },
];
