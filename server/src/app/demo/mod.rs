//! `forecourt demo`: a server that can be reached only from this machine. The first start fills its database with a
//! platform, three corporations, their users and realistic records. Its mails can be read in the browser
//! (docs/product.md 3.2).

mod bulk;
mod drawings;
pub mod mailbox;
mod records;
mod sales;
mod stock;

pub use bulk::add_records;

use crate::access::scope;
use crate::app::config::Config;
use crate::app::start;
use crate::features::roles;
use crate::features::state::App;
use crate::features::users::{self, NewUser};
use crate::platform::Failure;
use crate::platform::clock::Clock;
use crate::platform::db::{self, Tx};
use crate::platform::file_modes;
use crate::platform::http;
use drawings::Drawings;
use forecourt_core::organizations::normalize_number;
use forecourt_core::permissions::{CATALOGUE, Permissions, UserType};
use forecourt_core::settings::{COUNTRIES, Settings};
use uuid::Uuid;

/// The password of all demo users. The demo listens on the loopback address only.
const PASSWORD: &str = "demo-password";

/// A role of the demo, with the permissions that it grants on each resource, given by id.
struct Role {
    name: &'static str,
    description: &'static str,
    grants: &'static [(&'static str, Permissions)],
}

/// A user of the demo.
struct DemoUser {
    email: &'static str,
    name: (&'static str, &'static str),
    /// A phone number from a range that is reserved for fiction.
    mobile: &'static str,
    user_type: UserType,
    /// Index into [`ROLES`] of a User's role. `None` for an Admin, who has the role that every corporation starts with,
    /// and for a Super Admin, who has no role.
    role: Option<usize>,
}

/// The company record (organization) of a corporation of the demo.
struct Record {
    number: &'static str,
    /// Street, postal code and city.
    address: [&'static str; 3],
    email: &'static str,
    phone: &'static str,
    category: &'static str,
    legal_form: &'static str,
}

/// A corporation of the demo.
struct Corporation {
    name: &'static str,
    is_platform: bool,
    record: Record,
    /// The code of the corporation's country, which determines the currency and VAT rate of its vehicles.
    country: &'static str,
    /// The number of the corporation's contacts, and likewise of its customers and of its invoices.
    records: usize,
    users: &'static [DemoUser],
}

const READ: Permissions = Permissions { can_read: true, ..Permissions::NONE };

const ROLES: &[Role] = &[
    Role {
        name: "Sales",
        description: "Keeps contacts, customers, invoices, vehicles and agreements",
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
        name: "Reception",
        description: "Looks up contacts, customers, vehicles and agreements",
        grants: &[
            ("contacts", READ),
            ("contacts.list", READ),
            ("customers", READ),
            ("vehicles", READ),
            ("vehicles.list", READ),
            ("agreements", READ),
        ],
    },
];

const fn user(
    email: &'static str,
    name: (&'static str, &'static str),
    mobile: &'static str,
    user_type: UserType,
    role: Option<usize>,
) -> DemoUser {
    DemoUser { email, name, mobile, user_type, role }
}

const CORPORATIONS: &[Corporation] = &[
    Corporation {
        name: "Forecourt",
        is_platform: true,
        record: Record {
            number: "559360-9844",
            address: ["Hamngatan 4", "111 47", "Stockholm"],
            email: "office@forecourt.example",
            phone: "+46 8 465 004 10",
            category: "Software",
            legal_form: "Limited company (AB)",
        },
        country: "SE",
        records: 0,
        users: &[user("super@forecourt.example", ("Sigrid", "Ek"), "+46 70 174 06 05", UserType::SuperAdmin, None)],
    },
    Corporation {
        name: "Nordbil AB",
        is_platform: false,
        record: Record {
            number: "556100-0059",
            address: ["Industrivägen 12", "903 26", "Umeå"],
            email: "info@nordbil.example",
            phone: "+46 90 17 06 30",
            category: "Car dealer",
            legal_form: "Limited company (AB)",
        },
        country: "SE",
        records: 240,
        users: &[
            user("admin@nordbil.example", ("Ada", "Lindqvist"), "+46 70 174 06 11", UserType::Admin, None),
            user("sales@nordbil.example", ("Hugo", "Berg"), "+46 70 174 06 24", UserType::User, Some(0)),
            user("clerk@nordbil.example", ("Maja", "Holm"), "+46 70 174 06 36", UserType::User, Some(1)),
        ],
    },
    Corporation {
        name: "Autohaus Weser GmbH",
        is_platform: false,
        record: Record {
            number: "HRB 31045",
            address: ["Osterdeich 88", "28205", "Bremen"],
            email: "kontakt@weser.example",
            phone: "+49 421 555 0140",
            category: "Car dealer and workshop",
            legal_form: "GmbH",
        },
        country: "DE",
        records: 60,
        users: &[
            user("admin@weser.example", ("Jonas", "Möller"), "+49 171 392 00 14", UserType::Admin, None),
            user("export@weser.example", ("Karin", "Ahlgren"), "+46 70 174 06 58", UserType::Admin, None),
            user("sales@weser.example", ("Lena", "Brandt"), "+49 171 392 00 27", UserType::User, Some(0)),
        ],
    },
    Corporation {
        name: "Kestrel Cars Ltd",
        is_platform: false,
        record: Record {
            number: "09460213",
            address: ["17 Harbour Road", "BS1 5TY", "Bristol"],
            email: "hello@kestrel.example",
            phone: "+44 117 496 0142",
            category: "Vehicle broker",
            legal_form: "Private limited company",
        },
        country: "GB",
        records: 0,
        users: &[
            user("admin@kestrel.example", ("Grace", "Whitfield"), "+44 7700 900142", UserType::Admin, None),
            user("broker@kestrel.example", ("Owen", "Pryce"), "+44 7700 900157", UserType::Admin, None),
            user("trainee@kestrel.example", ("Nia", "Rhys"), "+44 7700 900163", UserType::User, Some(1)),
        ],
    },
];

/// Serves the demo until SIGTERM or Ctrl-C.
pub async fn run(config: Config) -> Result<(), Failure> {
    let platform = &config.platform;
    let listen = platform.listen;
    if !listen.ip().is_loopback() {
        return Err(format!("the demo listens on a loopback address only, not on {listen} (FORECOURT_LISTEN)"));
    }
    if platform.smtp_url.is_some() {
        return Err("the demo sends no mail: unset FORECOURT_SMTP_URL".into());
    }
    if platform.database_url.is_some() {
        return Err("the demo has its own database: unset FORECOURT_DATABASE_URL".into());
    }
    // The mailbox needs no sign-in, so the demo must never serve real data.
    let (data, marker) = (platform.data_dir.join("forecourt.sqlite3"), platform.data_dir.join("demo"));
    if data.exists() && !marker.exists() {
        let folder = platform.data_dir.display();
        return Err(format!(
            "{folder} contains data that is not from the demo: choose another folder (FORECOURT_DATA_DIR)"
        ));
    }
    file_modes::create_folder(&platform.data_dir)
        .and_then(|()| std::fs::write(&marker, "This folder belongs to the demo.\n"))
        .map_err(|e| format!("can't create the data folder {}: {e}", platform.data_dir.display()))?;
    let mut app = start::open(config, Clock::System).await?;
    app.mailbox = Some(mailbox::PATH);
    insert_records(&app).await.map_err(|e| format!("can't write the demo's records: {e}"))?;
    let listener = http::listen(listen, "FORECOURT_LISTEN")?;
    let stop = start::listen_for_stop();
    println!("{}", welcome_text(&format!("http://{listen}")));
    start::serve(app, listener, stop).await;
    Ok(())
}

/// Returns the text that the terminal shows once the demo is ready.
fn welcome_text(address: &str) -> String {
    let mut lines = vec![format!("\nThe Forecourt demo is ready: {address}\n")];
    for corporation in CORPORATIONS {
        lines.push(format!("  {}", corporation.name));
        for p in corporation.users {
            let role = p.role.map_or(String::new(), |r| format!(", {}", ROLES[r].name));
            lines.push(format!("    {:<26} {}{role}", p.email, p.user_type.as_str()));
        }
    }
    lines.push(format!("\n  Password of all users:  {PASSWORD}"));
    lines.push(format!("  Mails with the codes:   {address}{}\n", mailbox::PATH));
    lines.join("\n")
}

async fn insert_records(app: &App) -> Result<(), Box<dyn std::error::Error>> {
    let (count,): (i64,) = app.db.sql("SELECT count(*) FROM corporations").one().await?;
    if count > 0 {
        return Ok(());
    }
    let hash = app.hasher.hash(PASSWORD.into()).await.map_err(|_| "can't hash the password")?;
    let now = app.clock.now();
    app.data_keys.register_current_key(&app.db).await?;
    // In one transaction: a start that is interrupted leaves an empty database, which the next start fills.
    let mut tx = app.db.begin().await?;
    let mut drawings = Drawings::default();
    for corporation in CORPORATIONS {
        let corp = insert_corporation(&mut tx, corporation, now).await?;
        let first = roles::create_first(&mut tx, corp, &resources(), now).await?;
        let roles = if corporation.is_platform { Vec::new() } else { insert_roles(&mut tx, corp, now).await? };
        let mut author = None;
        for p in corporation.users {
            let user = NewUser {
                corp,
                email: p.email,
                first_name: p.name.0,
                last_name: p.name.1,
                mobile: p.mobile,
                user_type: p.user_type,
                role: if p.user_type == UserType::Admin { Some(first) } else { p.role.map(|r| roles[r]) },
                password_hash: &hash,
            };
            author = users::create_account(&mut tx, &user, now).await?;
        }
        if let Some(author) = author {
            let (scope, count) = (scope::scope_of_job(&app.db, corp, author), corporation.records);
            bulk::insert_sample_records(&mut tx, &scope, &app.data_keys, 0..count, count, now).await?;
            bulk::insert_comments(&mut tx, &scope, now).await?;
            if !corporation.is_platform {
                bulk::insert_vehicles(&mut tx, &scope, &settings_of(corporation), now).await?;
                bulk::insert_photos(&mut tx, &scope, &mut drawings, now).await?;
                sales::insert(&mut tx, &scope, now).await?;
            }
        }
    }
    tx.commit().await?;
    Ok(())
}

async fn insert_corporation(tx: &mut Tx, corporation: &Corporation, now: i64) -> db::Result<Uuid> {
    let corp = Uuid::now_v7();
    let Settings { country, currency, vat_rate } = settings_of(corporation);
    tx.sql(
        "INSERT INTO corporations (corp_id, name, is_platform, created_at, updated_at, country, currency, vat_rate) \
         VALUES ($1, $2, $3, $4, $4, $5, $6, $7)",
    )
    .bind_all((corp, corporation.name.to_owned(), corporation.is_platform, now, country, currency, vat_rate))
    .exec()
    .await?;
    let Record { number, address: [street, postal_code, city], email, phone, category, legal_form } =
        corporation.record;
    tx.sql(
        "INSERT INTO organizations (corp_id, organization_number, street_address, registered_city, postal_code, city, \
         company_email, company_phone, business_category, legal_form, created_at, updated_at, number_key) \
         VALUES ($1, $2, $3, $5, $4, $5, $6, $7, $8, $9, $10, $10, $11)",
    )
    .bind(corp)
    .bind(number)
    .bind(street)
    .bind(postal_code)
    .bind(city)
    .bind(email)
    .bind(phone)
    .bind(category)
    .bind(legal_form)
    .bind(now)
    .bind(normalize_number(number))
    .exec()
    .await?;
    for resource in resources() {
        tx.sql("INSERT INTO corporation_resources (corp_id, resource_id) VALUES ($1, $2)")
            .bind(corp)
            .bind(resource)
            .exec()
            .await?;
    }
    Ok(corp)
}

fn settings_of(corporation: &Corporation) -> Settings {
    let found = COUNTRIES.iter().find(|country| country.code == corporation.country);
    found.map_or_else(Settings::default, |country| Settings {
        country: country.code.to_owned(),
        currency: country.currency.to_owned(),
        vat_rate: country.vat_rate,
    })
}

/// Returns the resources that every corporation of the demo may use.
fn resources() -> Vec<&'static str> {
    CATALOGUE.iter().filter(|entry| entry.is_assignable()).map(|entry| entry.resource_id()).collect()
}

async fn insert_roles(tx: &mut Tx, corp: Uuid, now: i64) -> db::Result<Vec<Uuid>> {
    let mut ids = Vec::new();
    for role in ROLES {
        let id = Uuid::now_v7();
        tx.sql(
            "INSERT INTO roles (corp_id, role_id, name, description, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(corp)
        .bind(id)
        .bind(role.name)
        .bind(role.description)
        .bind(now)
        .bind(now)
        .exec()
        .await?;
        for (resource, p) in role.grants {
            tx.sql(
                "INSERT INTO role_permissions \
                 (corp_id, role_id, resource_id, can_read, can_create, can_update, can_delete) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(corp)
            .bind(id)
            .bind(*resource)
            .bind(p.can_read)
            .bind(p.can_create)
            .bind(p.can_update)
            .bind(p.can_delete)
            .exec()
            .await?;
        }
        ids.push(id);
    }
    Ok(ids)
}
