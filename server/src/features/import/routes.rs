//! The routes of import.

use crate::access::route::{Body, Who, delete, get, handler, post};
use crate::features::Route;
use Action::{Create, Delete, Read};
use Body::File;
use ResourceId::{Contacts, ContactsImports};
use Who::May;
use forecourt_core::permissions::{Action, ResourceId};

pub const ROUTES: &[Route] = &[
    post(
        "/api/contacts/import/preview",
        May(Create, Contacts),
        handler!(super::preview, "Shows how a file would be read"),
    )
    .body(File)
    .errors(&[429]),
    post("/api/contacts/import/submit", May(Create, Contacts), handler!(super::submit, "Accepts a file to import"))
        .body(File)
        .errors(&[409, 429]),
    get(
        "/api/contacts/import/status/{sessionId}",
        May(Create, Contacts),
        handler!(super::status, "Returns the progress of an import"),
    ),
    post(
        "/api/contacts/import/cancel/{sessionId}",
        May(Create, Contacts),
        handler!(super::cancel, "Cancels an import"),
    )
    .errors(&[409]),
    get(
        "/api/contacts/import/mapping",
        May(Create, Contacts),
        handler!(super::mapping, "Returns the last mapping of a file with these headers"),
    ),
    get("/api/contacts/imports", May(Read, ContactsImports), handler!(super::list, "Lists imports")),
    delete(
        "/api/contacts/imports/{sessionId}",
        May(Delete, ContactsImports),
        handler!(super::delete, "Deletes an import and its report; the contacts stay"),
    )
    .errors(&[409]),
    get(
        "/api/contacts/imports/{sessionId}/failed.csv",
        May(Read, Contacts),
        handler!(super::report::download_failed_rows, "Returns the rows that failed, to be corrected"),
    ),
];
