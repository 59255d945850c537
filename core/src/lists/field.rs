//! The declaration of a list's field.

use crate::import::ModelColumn;
use crate::message::Message;
use crate::permissions::ResourceId;

/// A field of the records in a list.
#[derive(Debug)]
pub struct Field {
    /// The field's name in the API: in sort orders, filters, columns, files, the history, bulk actions and errors.
    pub name: &'static str,
    /// The object in a record's JSON that has the value, and the value's name there. `None`: the record itself has it,
    /// under the field's name.
    within: Option<(&'static str, &'static str)>,
    pub kind: Kind,
    /// The values that the filter of a text field offers, besides any other text. Screens show them in the user's
    /// language.
    pub offered: &'static [&'static str],
    pub personal: Personal,
    /// The headers of columns that are imported into the field. `None` if the field can't be imported.
    pub synonyms: Option<Synonyms>,
    pub is_exported: bool,
    /// Whether bulk actions can change the field.
    pub is_bulk_editable: bool,
    /// Whether the field has a value in every record, so that a bulk action can't empty it.
    pub is_required: bool,
    /// Whether the field is the id of another record that users link to this one.
    pub is_link: bool,
    /// Whether the field is a text of many lines or sentences. Such texts are sorted by their first
    /// [`super::SORTED_CHARACTERS`] characters only, because a database index can't contain long ones.
    pub is_long: bool,
    /// Whether the field is a text that is a running number after one of several prefixes, such as `SA-1042`. Such texts
    /// are sorted by their first [`super::PREFIX_CHARACTERS`] characters, and then by the number.
    pub is_numbered: bool,
    /// Whether the values are e-mail addresses.
    pub is_email: bool,
    /// Whether the value follows from other fields, or from the record's import. The history does not record it then.
    pub is_derived: bool,
    /// The resource that a user must be able to read to see the field. For other users the field does not exist: they
    /// don't get it in records, files and the history, and can't use it in queries and forms. `None`: everyone sees the
    /// field.
    pub needs: Option<ResourceId>,
    /// Converts the text in a condition to the form in which the field's values are stored. `None`: they are stored as
    /// they are written.
    pub(super) normalize: Option<fn(&str) -> String>,
    /// The field's label on screens. `None`: the label that `labels` has for a field of this name.
    pub(super) label: Option<&'static Message>,
}

/// Whether a field's values are personal data, and what an erasure does with them (docs/product.md 4.25). A text that
/// users write freely may contain personal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Personal {
    /// The values can't be personal data. Never right for a text.
    No,
    /// A text about the business or its goods, which is no personal data.
    Business,
    Erased,
    /// The values are kept, because accounting law requires it.
    KeptForAccounting,
    /// The values are kept: they belong to the account of a user, which an administrator deletes separately.
    KeptWithAccount,
}

/// The headers of columns that an import suggests a field for, separated by spaces. Each is in lower case, without
/// accents, spaces and punctuation.
#[derive(Clone, Copy, Debug)]
pub struct Synonyms {
    pub column: ModelColumn,
    /// Names of this field. They also count within a longer header, and misspelt.
    pub exact: &'static str,
    /// Names that usually mean this field. They score lower than `exact`, and also count within a longer header.
    pub secondary: &'static str,
    /// Names that may mean something else. They count only as the whole header, and score lower there than the others.
    pub weak: &'static str,
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A UUID.
    Id,
    /// Compared without case and accents.
    Text,
    /// One of these fixed texts.
    Choice(&'static [&'static str]),
    Flag,
    /// A whole number.
    Number,
    /// A running number after this prefix, such as `C-1042`. Compared as a number.
    Serial(&'static str),
    /// An amount in pounds.
    Money,
    /// An amount in the currency of the corporation.
    OwnMoney,
    /// The costs of a vehicle, in the currency of the corporation. Compared by their net total.
    Costs,
    /// A percentage with at most two decimals.
    Percent,
    /// The vehicles of an agreement. Compared by their number.
    Legs,
    Date,
    Time,
}

/// Returns how many of the fields can be imported.
pub(crate) const fn count_imported(fields: &[Field]) -> usize {
    let (mut count, mut index) = (0, 0);
    while index < fields.len() {
        if fields[index].synonyms.is_some() {
            count += 1;
        }
        index += 1;
    }
    count
}

/// Returns the synonyms of each field that can be imported. `N` must be the number of such fields ([`count_imported`]).
pub(crate) const fn imported<const N: usize>(fields: &[Field]) -> [Synonyms; N] {
    let none = Synonyms { column: ModelColumn::DoNotImport, exact: "", secondary: "", weak: "" };
    let (mut found, mut count, mut index) = ([none; N], 0, 0);
    while index < fields.len() {
        if let Some(synonyms) = fields[index].synonyms {
            found[count] = synonyms;
            count += 1;
        }
        index += 1;
    }
    found
}

impl Field {
    /// Returns a field whose values are no personal data. It has no name; [`super::fields!`] adds that.
    pub const fn new(kind: Kind) -> Self {
        Field {
            name: "",
            within: None,
            kind,
            offered: &[],
            personal: Personal::No,
            synonyms: None,
            is_exported: true,
            is_bulk_editable: false,
            is_required: false,
            is_link: false,
            is_long: false,
            is_numbered: false,
            is_email: false,
            is_derived: false,
            needs: None,
            normalize: None,
            label: None,
        }
    }

    pub const fn text(personal: Personal) -> Self {
        Field::new(Kind::Text).personal(personal)
    }

    pub const fn long_text(personal: Personal) -> Self {
        Field { is_long: true, ..Field::text(personal) }
    }

    pub const fn email(personal: Personal) -> Self {
        Field { is_email: true, ..Field::text(personal) }
    }

    /// Returns the field as one whose values may be personal data.
    #[must_use]
    pub const fn personal(self, personal: Personal) -> Self {
        Field { personal, ..self }
    }

    #[must_use]
    pub const fn named(self, name: &'static str) -> Self {
        Field { name, ..self }
    }

    /// Returns the field as one whose value is in this object of a record, under the name `member`.
    #[must_use]
    pub const fn within(self, object: &'static str, member: &'static str) -> Self {
        Field { within: Some((object, member)), ..self }
    }

    /// Returns the names that lead to the field's value in the JSON of a record, and of the record's form.
    pub fn path(&self) -> Vec<&'static str> {
        self.within.map_or_else(|| vec![self.name], |(object, member)| vec![object, member])
    }

    /// Returns the text field as one whose filter offers these values.
    #[must_use]
    pub const fn offering(self, values: &'static [&'static str]) -> Self {
        Field { offered: values, ..self }
    }

    /// Returns the text field as one whose values are running numbers after one of several prefixes
    /// ([`Field::is_numbered`]).
    #[must_use]
    pub const fn numbered(self) -> Self {
        Field { is_numbered: true, ..self }
    }

    /// Returns the field as one that can be imported, from columns with these headers.
    #[must_use]
    pub const fn imported(self, synonyms: Synonyms) -> Self {
        Field { synonyms: Some(synonyms), ..self }
    }

    /// Returns the field without a column in exported files.
    #[must_use]
    pub const fn not_exported(self) -> Self {
        Field { is_exported: false, ..self }
    }

    /// Returns the field as one that bulk actions can change.
    #[must_use]
    pub const fn in_bulk(self) -> Self {
        Field { is_bulk_editable: true, ..self }
    }

    /// Returns the field as one that has a value in every record.
    #[must_use]
    pub const fn required(self) -> Self {
        Field { is_required: true, ..self }
    }

    /// Returns the field as a link to another record.
    #[must_use]
    pub const fn linking(self) -> Self {
        Field { is_link: true, ..self }
    }

    /// Returns the field as one whose value follows from other fields, or from the record's import.
    #[must_use]
    pub const fn derived(self) -> Self {
        Field { is_derived: true, ..self }
    }

    /// Returns the field as one that only users see who may read this resource ([`Field::needs`]).
    #[must_use]
    pub const fn needing(self, resource: ResourceId) -> Self {
        Field { needs: Some(resource), ..self }
    }

    /// Returns the field as one whose values are stored after a conversion by this function.
    #[must_use]
    pub const fn normalized(self, normalize: fn(&str) -> String) -> Self {
        Field { normalize: Some(normalize), ..self }
    }

    /// Returns the field with this label on screens.
    #[must_use]
    pub const fn labeled(self, label: &'static Message) -> Self {
        Field { label: Some(label), ..self }
    }
}

impl Kind {
    /// Returns the kind's name, for screens that choose an input by it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Id => "id",
            Kind::Text => "text",
            Kind::Choice(_) => "choice",
            Kind::Flag => "flag",
            Kind::Number => "number",
            Kind::Serial(_) => "serial",
            Kind::Money => "money",
            Kind::OwnMoney => "ownMoney",
            Kind::Costs => "costs",
            Kind::Percent => "percent",
            Kind::Legs => "legs",
            Kind::Date => "date",
            Kind::Time => "time",
        }
    }
}
