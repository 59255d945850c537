//! Images for tests, and helpers to upload and fetch them.

use crate::app::{ApiResponse, TestApp};
use crate::contract;
use crate::malicious_files::crc32;
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use std::io::Cursor;

pub const LOGO: &str = "/api/theme/logo";
pub const RED: Rgba<u8> = Rgba([255, 0, 0, 255]);
pub const BLUE: Rgba<u8> = Rgba([0, 0, 255, 255]);

pub fn encode(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub fn png(image: RgbaImage) -> Vec<u8> {
    encode(image, ImageFormat::Png)
}

/// Returns an image with a red left half and a blue right half.
pub fn red_and_blue(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, _| if x < width / 2 { RED } else { BLUE })
}

/// Returns a JPEG of [`red_and_blue`].
pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encode(DynamicImage::from(red_and_blue(width, height)).to_rgb8(), ImageFormat::Jpeg)
}

/// Returns a JPEG with this EXIF orientation.
pub fn turned_jpeg(orientation: u8, width: u32, height: u32) -> Vec<u8> {
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x02\0".to_vec();
    exif.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    exif.extend([0x0e, 0x01, 2, 0, 20, 0, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0]);
    exif.extend(b"CANARY-OF-THE-CAMERA");
    let mut bytes = jpeg(width, height);
    let length = (exif.len() as u16 + 2).to_be_bytes();
    bytes.splice(2..2, [0xff, 0xe1].into_iter().chain(length).chain(exif));
    bytes
}

/// Returns a PNG whose header claims this size, with only a few bytes of pixels.
pub fn claiming_png(width: u32, height: u32) -> Vec<u8> {
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 6, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in [(b"IHDR", header), (b"IDAT", vec![0x78, 0x9c, 0x63, 0, 0, 0, 1, 0, 1]), (b"IEND", Vec::new())]
    {
        bytes.extend((data.len() as u32).to_be_bytes());
        let named = [name.as_slice(), &data].concat();
        bytes.extend(&named);
        bytes.extend(crc32(&named).to_be_bytes());
    }
    bytes
}

/// Returns a PNG of this length in bytes. The bytes after its end are not part of the image.
pub fn png_of_bytes(size: usize) -> Vec<u8> {
    let mut bytes = png(red_and_blue(20, 10));
    bytes.resize(size, 0);
    bytes
}

pub fn form(field: &str, bytes: Vec<u8>) -> Form {
    Form::new().part(field.to_owned(), Part::bytes(bytes).file_name("logo.png"))
}

pub async fn put_logo(app: &TestApp, token: &str, bytes: Vec<u8>) -> ApiResponse {
    app.send(app.request(Method::PUT, LOGO, Some(token)).multipart(form("logo", bytes))).await
}

/// Requests a link. Returns the status, the headers and the body.
pub async fn fetch(app: &TestApp, link: &str) -> (u16, reqwest::header::HeaderMap, Vec<u8>) {
    let reply = contract::send(app.request(Method::GET, link, None)).await;
    (reply.status.as_u16(), reply.headers, reply.bytes)
}

/// Returns the image that the link in a response leads to.
pub async fn read_logo(app: &TestApp, response: &ApiResponse) -> DynamicImage {
    assert_eq!(response.status, 200, "{}", response.body);
    let (status, _, bytes) = fetch(app, response.body["logo"].as_str().unwrap()).await;
    assert_eq!(status, 200);
    image::load_from_memory(&bytes).unwrap()
}
