//! The routes that all kinds of records have.

/// Declares the routes of a kind of record: its list, single records, export and bulk actions; then its own routes.
/// `$Record` is the [`Editable`](super::Editable) type, and `$one` and `$many` are how summaries call the records.
macro_rules! record_routes {
    (
        $path:literal, $Resource:ident, $Record:ty, $one:literal, $many:literal,
        list: $list:path, show: $show:path $(, $own:expr)* $(,)?
    ) => {{
        use forecourt_core::permissions::{Action, ResourceId};
        use $crate::access::route;
        use $crate::features::records;
        const RECORD: &str = concat!($path, "/{id}");
        type Entity = records::EntityOf<$Record>;
        const fn may(action: Action) -> route::Who {
            route::Who::May(action, ResourceId::$Resource)
        }
        const DELETION_ERRORS: &[u16] =
            if <Entity as records::Entity>::MAY_REFUSE_DELETION { &[409] } else { &[] };
        &[
            route::get($path, may(Action::Read), route::handler!($list, concat!("Lists ", $many))),
            route::post(
                $path,
                may(Action::Create),
                route::handler!(records::create::<$Record>, concat!("Creates ", $one)),
            ),
            route::get(RECORD, may(Action::Read), route::handler!($show, concat!("Returns ", $one))),
            route::put(
                RECORD,
                may(Action::Update),
                route::handler!(records::update::<$Record>, concat!("Updates ", $one)),
            )
            .errors(&[409]),
            route::delete(
                RECORD,
                may(Action::Delete),
                route::handler!(records::remove::<Entity>, concat!("Deletes ", $one)),
            )
            .errors(DELETION_ERRORS),
            route::get(
                concat!($path, "/export"),
                may(Action::Read),
                route::handler!(records::export::export::<Entity>, "Exports the list"),
            ),
            route::post(
                concat!($path, "/bulk"),
                may(Action::Read),
                route::handler!(records::bulk::bulk::<$Record>, concat!("Changes or deletes many ", $many)),
            )
            .body(route::Body::Ids)
            .note("Also requires the Update or Delete permission, depending on the action.")
            .errors(&[409]),
            $($own,)*
        ]
    }};
}
pub(crate) use record_routes;
