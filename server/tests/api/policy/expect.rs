//! The expected result of a request, by what its route requires. Permissions are decided by core's own function.

use super::actors::Actor;
use super::fixtures::allowed;
use super::samples::Sample;
use forecourt::access::route::Who;
use forecourt::features::Route;
use forecourt_core::permissions::{Grant, UserType, effective_permissions, may};
use forecourt_core::text::{NOT_ALLOWED, NOT_FOUND, SESSION_ENDED};

/// Returns whether a signed-in user of this type, with these grants, meets the requirement of a route.
pub fn is_allowed(who: Who, user_type: UserType, grants: &[Grant]) -> bool {
    match who {
        Who::Public | Who::Session => true,
        Who::May(action, resource) => may(&effective_permissions(user_type, grants, &allowed()), resource, action),
        Who::Administrator => user_type.is_administrator(),
    }
}

/// The expected result of the authorization of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Allowed,
    /// The resource whose id is in the path exists, but the user may not see it.
    Hidden,
    NotAllowed,
    SignedOut,
}

impl Verdict {
    /// Returns the expected result if this user sends the sample's request.
    pub fn for_sample(route: &Route, sample: &Sample, actor: &Actor) -> Self {
        let verdict = Verdict::for_requirement(route.who, actor).max(Verdict::for_requirement(sample.also, actor));
        match verdict {
            Verdict::Allowed if Verdict::for_requirement(sample.shown_to, actor) != Verdict::Allowed => Verdict::Hidden,
            verdict => verdict,
        }
    }

    fn for_requirement(who: Who, actor: &Actor) -> Self {
        match who {
            Who::Public => Verdict::Allowed,
            _ if !actor.is_signed_in() => Verdict::SignedOut,
            who if is_allowed(who, actor.user_type, &actor.grants) => Verdict::Allowed,
            _ => Verdict::NotAllowed,
        }
    }

    /// Returns the expected status and message; `None` if the request is allowed.
    pub fn expected_error(self) -> Option<(u16, &'static str)> {
        match self {
            Verdict::Allowed => None,
            Verdict::Hidden => Some((404, NOT_FOUND.as_str())),
            Verdict::NotAllowed => Some((403, NOT_ALLOWED.as_str())),
            Verdict::SignedOut => Some((401, SESSION_ENDED.as_str())),
        }
    }
}
