//! Images: decoded within limits, encoded again, and served under a random link.

use crate::app::{ADMIN, CLERK, OTHER_ADMIN, TestApp};
use crate::image_files::{
    BLUE, LOGO, RED, claiming_png, encode, fetch, jpeg, png, png_of_bytes, put_logo, read_logo, red_and_blue,
    turned_jpeg,
};
use forecourt_core::images::text;
use image::{DynamicImage, GenericImageView, ImageBuffer, ImageFormat, Luma, Rgba, RgbaImage};
use serde_json::json;
use std::collections::HashSet;

/// Returns whether two colours are equal within the precision of JPEG.
fn is_close(one: Rgba<u8>, other: Rgba<u8>) -> bool {
    one.0.iter().zip(other.0).all(|(a, b)| a.abs_diff(b) < 40)
}

#[tokio::test]
async fn u3_a_logo_is_scaled_down_and_stays_transparent() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    // The left half is red, the right half is transparent green. Scaling must not mix the green into the edge.
    let half_transparent = RgbaImage::from_fn(1000, 500, |x, _| if x < 500 { RED } else { Rgba([0, 255, 0, 0]) });
    let logo = read_logo(&app, &put_logo(&app, &token, png(half_transparent)).await).await;
    assert_eq!(logo.dimensions(), (400, 200));
    assert!(is_close(logo.get_pixel(10, 100), RED));
    assert_eq!(logo.get_pixel(390, 100).0[3], 0);
    for x in 195..206 {
        let [red, green, _, alpha] = logo.get_pixel(x, 100).0;
        assert!(alpha < 16 || green < 16 && red > 200, "{x}: {:?}", logo.get_pixel(x, 100));
    }
    for (size, scaled) in [((40, 10), (40, 10)), ((4096, 1), (400, 1)), ((800, 1600), (200, 400))] {
        let logo = read_logo(&app, &put_logo(&app, &token, png(red_and_blue(size.0, size.1))).await).await;
        assert_eq!(logo.dimensions(), scaled, "{size:?}");
    }
    let grey: ImageBuffer<Luma<u16>, Vec<u16>> = ImageBuffer::from_pixel(30, 30, Luma([0xffff]));
    let logo = read_logo(&app, &put_logo(&app, &token, encode(grey, ImageFormat::Png)).await).await;
    assert_eq!(logo.get_pixel(5, 5), Rgba([255; 4]));
}

#[tokio::test]
async fn u3_an_image_is_rotated_upright_and_loses_its_metadata() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (orientation, size, top_left, bottom_right) in
        [(1, (80, 40), RED, BLUE), (3, (80, 40), BLUE, RED), (6, (40, 80), RED, BLUE), (8, (40, 80), BLUE, RED)]
    {
        let response = put_logo(&app, &token, turned_jpeg(orientation, 80, 40)).await;
        let logo = read_logo(&app, &response).await;
        assert_eq!(logo.dimensions(), size, "{orientation}");
        assert!(is_close(logo.get_pixel(3, 3), top_left), "{orientation}");
        assert!(is_close(logo.get_pixel(size.0 - 4, size.1 - 4), bottom_right), "{orientation}");
        let (_, _, bytes) = fetch(&app, response.body["logo"].as_str().unwrap()).await;
        assert!(!bytes.windows(6).any(|w| w == b"CANARY"));
    }
}

#[tokio::test]
async fn u3_a_too_large_image_is_rejected_by_its_header() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    for (width, height) in [(60_000, 60_000), (4097, 10), (10, 4097), (u32::MAX >> 1, u32::MAX >> 1)] {
        let response = put_logo(&app, &token, claiming_png(width, height)).await;
        assert_eq!(
            (response.status.as_u16(), &response.body["message"]),
            (400, &json!(text::TOO_DETAILED.as_str())),
            "{width}"
        );
    }
    // The size that this header claims is within the limit, so the image is rejected only when it is decoded.
    let response = put_logo(&app, &token, claiming_png(4096, 4096)).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(text::UNREADABLE.as_str())));
    // This image has an allowed width and height, but 16 bits per channel, which take twice the memory.
    let deep: ImageBuffer<Rgba<u16>, Vec<u16>> = ImageBuffer::from_pixel(4096, 2050, Rgba([7; 4]));
    let response = put_logo(&app, &token, encode(DynamicImage::ImageRgba16(deep), ImageFormat::Png)).await;
    assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(text::TOO_DETAILED.as_str())));
    let largest = RgbaImage::from_pixel(4096, 4096, BLUE);
    assert_eq!(read_logo(&app, &put_logo(&app, &token, png(largest)).await).await.dimensions(), (400, 400));
}

#[tokio::test]
async fn u3_other_files_and_damaged_images_are_rejected_with_a_message() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let (whole, photo) = (png(red_and_blue(60, 60)), jpeg(60, 60));
    let mut corrupt = whole.clone();
    let middle = corrupt.len() / 2;
    corrupt[middle..middle + 8].fill(0xff);
    for (name, bytes, sentence) in [
        ("a GIF", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), text::LOGO_KIND.as_str()),
        ("a WebP", b"RIFF\x1a\0\0\0WEBPVP8L".to_vec(), text::LOGO_KIND.as_str()),
        ("HTML", b"<html><svg onload=alert(1)></html>".to_vec(), text::LOGO_KIND.as_str()),
        ("a PDF", b"%PDF-1.7".to_vec(), text::LOGO_KIND.as_str()),
        ("a zip", b"PK\x03\x04".to_vec(), text::LOGO_KIND.as_str()),
        ("only a signature", whole[..8].to_vec(), text::UNREADABLE.as_str()),
        ("only a header", whole[..33].to_vec(), text::UNREADABLE.as_str()),
        ("half a PNG", whole[..whole.len() / 2].to_vec(), text::UNREADABLE.as_str()),
        ("a corrupt PNG", corrupt, text::UNREADABLE.as_str()),
        ("a JPEG's beginning", photo[..20].to_vec(), text::UNREADABLE.as_str()),
        ("a JPEG's signature and text", b"\xff\xd8\xff<script>alert(1)</script>".to_vec(), text::UNREADABLE.as_str()),
    ] {
        let response = put_logo(&app, &token, bytes).await;
        assert_eq!((response.status.as_u16(), &response.body["message"]), (400, &json!(sentence)), "{name}");
    }
    // Wherever the file is truncated, the response is 400 and never a server error.
    for length in (0..whole.len() - 16).step_by(9) {
        assert_eq!(put_logo(&app, &token, whole[..length].to_vec()).await.status, 400, "{length}");
    }
}

#[tokio::test]
async fn u3_data_behind_or_inside_an_image_is_not_served() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    let script = b"<script>alert('CANARY')</script>PK\x03\x04 /*CANARY*/";
    let appended = [png(red_and_blue(30, 30)), script.to_vec()].concat();
    let mut commented = jpeg(30, 30);
    let length = (script.len() as u16 + 2).to_be_bytes();
    commented.splice(2..2, [0xff, 0xfe].into_iter().chain(length).chain(*script));
    commented.extend(script);
    for bytes in [appended, commented] {
        let response = put_logo(&app, &token, bytes).await;
        let (_, headers, bytes) = fetch(&app, response.body["logo"].as_str().unwrap()).await;
        assert_eq!(headers["content-type"], "image/png");
        assert!(!bytes.windows(6).any(|w| w == b"CANARY" || w == b"script"));
    }
}

#[tokio::test]
async fn u1_a_logo_has_at_most_two_megabytes() {
    let (app, token) = TestApp::start_and_sign_in(ADMIN).await;
    assert_eq!(put_logo(&app, &token, png_of_bytes(2_097_152)).await.status, 200);
    for size in [2_097_153, 3_000_000] {
        let response = put_logo(&app, &token, png_of_bytes(size)).await;
        assert_eq!(
            (response.status.as_u16(), &response.body["message"]),
            (413, &json!(text::LOGO_TOO_LARGE.as_str())),
            "{size}"
        );
    }
}

#[tokio::test]
async fn t6_an_image_link_is_random_and_ends_with_its_image() {
    let app = TestApp::start().await;
    let (token, clerk) = (app.sign_in(ADMIN).await, app.sign_in(CLERK).await);
    let mut links = HashSet::new();
    let (mut ones, mut zeros) = (0u128, 0u128);
    // Sixty-four links: a random bit is the same in all of them with a probability of 1 in 2^63.
    for _ in 0..64 {
        // Advance the clock, so that the rate limit of uploads is not reached.
        app.advance(11 * forecourt::platform::clock::SECOND);
        let response = put_logo(&app, &token, png(red_and_blue(4, 4))).await;
        let link = response.body["logo"].as_str().unwrap().to_owned();
        let id = u128::from_str_radix(link.strip_prefix("/api/images/").unwrap(), 16).unwrap();
        (ones, zeros) = (ones | id, zeros | !id);
        assert!(link.len() == 44 && links.insert(link));
    }
    assert_eq!((ones, zeros), (u128::MAX, u128::MAX), "every bit is random");
    let present = app.get(LOGO, Some(&clerk)).await.body["logo"].as_str().unwrap().to_owned();
    for link in &links {
        assert_eq!(fetch(&app, link).await.0, if *link == present { 200 } else { 404 });
    }
    app.send(app.request(reqwest::Method::DELETE, LOGO, Some(&token))).await;
    assert_eq!(fetch(&app, &present).await.0, 404);
    assert_eq!(app.get(LOGO, Some(&token)).await.body["logo"], "");
}

#[tokio::test]
async fn t6_an_image_is_served_cacheable_and_sandboxed_by_its_link_only() {
    let app = TestApp::start().await;
    let (token, other_admin) = (app.sign_in(ADMIN).await, app.sign_in(OTHER_ADMIN).await);
    let response = put_logo(&app, &token, png(red_and_blue(4, 4))).await;
    let link = response.body["logo"].as_str().unwrap();
    let (status, headers, _) = fetch(&app, link).await;
    assert_eq!(status, 200);
    for (name, value) in [
        ("content-type", "image/png"),
        ("cache-control", "private, max-age=31536000, immutable"),
        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(headers[name], value, "{name}");
    }
    // A user of another corporation does not see the link, and no path without the whole id serves the image.
    assert_eq!(app.get(LOGO, Some(&other_admin)).await.body["logo"], "");
    for path in ["/api/images", "/api/images/", "/api/images/1", "/api/images/../images", "/api/images/0x00"] {
        assert_eq!(app.get(path, Some(&token)).await.status, 404, "{path}");
    }
    let missing = fetch(&app, &format!("/api/images/{}", "0".repeat(32))).await;
    assert_eq!((missing.0, &missing.1["cache-control"]), (404, &reqwest::header::HeaderValue::from_static("no-store")));
}
