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
pub(super) struct AdditionalMetadata {
    /// Whether every authorization response contains its issuer (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for AdditionalMetadata {}

pub(super) type Metadata = ProviderMetadata<
    AdditionalMetadata,
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

/// Returns whether the endpoints that the program uses have https, if the issuer has.
pub(super) fn has_only_https_endpoints(metadata: &Metadata) -> bool {
    let required = [metadata.authorization_endpoint().url(), metadata.jwks_uri().url()];
    let token = metadata.token_endpoint().map(|endpoint| endpoint.url());
    let userinfo = metadata.userinfo_endpoint().map(|endpoint| endpoint.url());
    let mut endpoints = required.into_iter().chain(token).chain(userinfo);
    metadata.issuer().url().scheme() != "https" || endpoints.all(|endpoint| endpoint.scheme() == "https")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn f1_rejects_http_endpoints_of_an_https_issuer() {
        let accepts = |issuer: &str, name: &str, endpoint: &str| {
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
            document[name] = endpoint.into();
            has_only_https_endpoints(&serde_json::from_value(document).unwrap())
        };
        assert!(accepts("https://id.example", "jwks_uri", "https://keys.example/"));
        for name in ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] {
            assert!(!accepts("https://id.example", name, "http://id.example/"), "{name}");
            assert!(accepts("http://127.0.0.1:9000", name, "http://127.0.0.1:9000/"), "{name}");
        }
    }
}
