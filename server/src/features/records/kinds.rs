//! The record type of each resource.

/// Returns the value of an expression in which `$Record` is the [`Editable`](super::Editable) type of a resource, or
/// `None` if the resource has no records with a history and a trash.
macro_rules! with_record {
    ($resource:expr, $Record:ident => $value:expr) => {
        with_record!(@of $resource, $Record => $value;
            Contacts forecourt_core::contacts::ContactSummary,
            Customers crate::features::customers::StoredCustomer,
            Invoices forecourt_core::invoices::Invoice,
            Vehicles forecourt_core::vehicles::Vehicle,
            Agreements forecourt_core::agreements::Agreement,
        )
    };
    (@of $resource:expr, $Record:ident => $value:expr; $($Resource:ident $Type:ty,)*) => {
        match $resource {
            $(forecourt_core::permissions::ResourceId::$Resource => {
                type $Record = $Type;
                Some($value)
            })*
            _ => None,
        }
    };
}
pub(crate) use with_record;

#[cfg(test)]
mod tests {
    use crate::access::scope::ResourceType;
    use crate::features::records::ResourceOf;
    use forecourt_core::history::resources;

    #[test]
    fn every_resource_with_a_history_has_a_record_type() {
        for resource in resources() {
            assert_eq!(with_record!(resource, Record => ResourceOf::<Record>::RESOURCE), Some(resource));
        }
    }
}
