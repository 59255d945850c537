//! The provider's metadata (OpenID Connect Discovery).

use openidconnect::core::{
    CoreAuthDisplay, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreGrantType, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJweKeyManagementAlgorithm, CoreResponseMode, CoreResponseType,
    CoreSubjectIdentifierType,
};
use openidconnect::{AdditionalProviderMetadata, ProviderMetadata};
use serde::{Deserialize, Serialize};

/// Metadata fields that the library does not define.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct More {
    /// Whether every authorization response contains its issuer (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for More {}

pub(super) type Metadata = ProviderMetadata<
    More,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Returns whether a provider whose issuer uses https names only https endpoints.
pub(super) fn keeps_to_https(metadata: &Metadata) -> bool {
    let always = [metadata.authorization_endpoint().url(), metadata.jwks_uri().url()];
    let token = metadata.token_endpoint().map(|place| place.url());
    let userinfo = metadata.userinfo_endpoint().map(|place| place.url());
    let mut places = always.into_iter().chain(token).chain(userinfo);
    metadata.issuer().url().scheme() != "https" || places.all(|place| place.scheme() == "https")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn f1_a_provider_with_https_leads_nobody_out_of_it() {
        let accepts = |issuer: &str, name: &str, place: &str| {
            let mut document = json!({
                "issuer": issuer,
                "authorization_endpoint": "https://id.example/authorize",
                "token_endpoint": "https://id.example/token",
                "userinfo_endpoint": "https://id.example/userinfo",
                "jwks_uri": "https://id.example/keys",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
            });
            document[name] = place.into();
            keeps_to_https(&serde_json::from_value(document).unwrap())
        };
        assert!(accepts("https://id.example", "jwks_uri", "https://keys.example/"));
        for name in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] {
            assert!(!accepts("https://id.example", name, "http://id.example/"), "{name}");
            assert!(accepts("http://127.0.0.1:9000", name, "http://127.0.0.1:9000/"), "{name}");
        }
    }
}
