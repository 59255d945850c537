//! Photos of vehicles: adding, ordering and removing them. They stay with a vehicle that is in the trash.

use crate::app::{ApiResponse, CLERK, OTHER_ADMIN, READER, TestApp};
use crate::helpers::{assert_error, count, create_record, delete, put, read_record};
use crate::image_files::{claiming_png, fetch, form, jpeg, png, png_of_bytes, red_and_blue, turned_jpeg};
use crate::vehicles::{PATH, RECORD};
use forecourt::features::trash::sweep;
use forecourt::platform::clock::DAY;
use forecourt_core::images::text as images;
use forecourt_core::text::NOT_FOUND;
use forecourt_core::vehicles::{PHOTOS_MAX, text};
use futures_util::future::join_all;
use image::{GenericImageView, ImageFormat, Rgba, RgbaImage};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

async fn create_vehicle(app: &TestApp, token: &str) -> String {
    create_record(app, token, PATH, (RECORD.form)(), "vehicle_id").await
}

/// Uploads this file as a photo of the vehicle at this path.
async fn add(app: &TestApp, token: &str, vehicle: &str, bytes: Vec<u8>) -> ApiResponse {
    let request = app.request(Method::POST, &format!("{vehicle}/photos"), Some(token));
    app.send(request.multipart(form("photo", bytes))).await
}

/// Adds a photo to the vehicle at this path, and returns its id.
async fn add_photo(app: &TestApp, token: &str, vehicle: &str) -> String {
    let response = add(app, token, vehicle, jpeg(8, 6)).await;
    assert_eq!(response.status, 201, "{}", response.body);
    ids(&response.body["data"]).pop().unwrap()
}

/// Returns the ids of a vehicle's photos, in their order.
fn ids(vehicle: &Value) -> Vec<String> {
    let photos = vehicle["photos"].as_array().unwrap().iter();
    photos.map(|photo| photo["photo_id"].as_str().unwrap().to_owned()).collect()
}

/// Sets the order of a vehicle's photos.
async fn order(app: &TestApp, token: &str, vehicle: &str, order: &[&String]) -> ApiResponse {
    put(app, &format!("{vehicle}/photos"), token, json!({"order": order})).await
}

/// Returns the changes of each entry of a vehicle's history, newest first.
async fn changes(app: &TestApp, token: &str, vehicle: &str) -> Vec<Value> {
    let id = vehicle.rsplit('/').next().unwrap();
    let entries = app.get(&format!("/api/history?resource=vehicles&id={id}"), Some(token)).await;
    entries.body["data"].as_array().unwrap().iter().map(|entry| entry["changes"].clone()).collect()
}

fn id_of(vehicle: &str) -> &str {
    vehicle.rsplit('/').next().unwrap()
}

#[tokio::test]
async fn a_photo_is_scaled_down_has_a_thumbnail_and_loses_its_metadata() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token).await;
    // Photos are stored as JPEG, so a transparent PNG gets a white background.
    let clear = RgbaImage::from_pixel(40, 20, Rgba([0, 0, 0, 0]));
    for (bytes, size, small) in [
        (jpeg(4000, 3000), (1600, 1200), (320, 240)),
        (turned_jpeg(6, 80, 40), (40, 80), (40, 80)),
        (png(clear), (40, 20), (40, 20)),
        (png(red_and_blue(1, 1700)), (1, 1600), (1, 320)),
    ] {
        let response = add(&app, &token, &vehicle, bytes).await;
        assert_eq!(
            (response.status.as_u16(), &response.body["message"]),
            (201, &json!(text::PHOTO_ADDED.as_str())),
            "{}",
            response.body
        );
        let photo = response.body["data"]["photos"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&photo["width"], &photo["height"]), (&json!(size.0), &json!(size.1)));
        for (link, size) in [("url", size), ("thumbnail", small)] {
            let (status, headers, bytes) = fetch(&app, photo[link].as_str().unwrap()).await;
            assert_eq!((status, &headers["content-type"]), (200, &"image/jpeg".parse().unwrap()));
            assert_eq!(headers["cache-control"], "private, max-age=31536000, immutable");
            let picture = image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg).unwrap();
            assert_eq!(picture.dimensions(), size);
            assert!(!bytes.windows(6).any(|window| window == b"CANARY"));
        }
    }
    let third = &read_record(&app, &token, &vehicle).await["photos"][2];
    let (_, _, bytes) = fetch(&app, third["url"].as_str().unwrap()).await;
    assert_eq!(image::load_from_memory(&bytes).unwrap().get_pixel(5, 5), Rgba([255; 4]));
}

#[tokio::test]
async fn u3_files_that_are_no_photos_are_rejected_with_a_message() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token).await;
    let whole = png(red_and_blue(60, 60));
    let largest = add(&app, &token, &vehicle, png_of_bytes(10 << 20)).await;
    assert_eq!(largest.status, 201, "{}", largest.body);
    for (name, bytes, status, sentence) in [
        ("an SVG", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), 400, images::PHOTO_KIND),
        ("a GIF", b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), 400, images::PHOTO_KIND),
        ("a HEIC", b"\0\0\0\x18ftypheic\0\0\0\0".to_vec(), 400, images::PHOTO_KIND),
        ("HTML", b"<html><img onerror=alert(1)></html>".to_vec(), 400, images::PHOTO_KIND),
        ("half a PNG", whole[..whole.len() / 2].to_vec(), 400, images::UNREADABLE),
        ("a JPEG's signature", b"\xff\xd8\xff<script>alert(1)</script>".to_vec(), 400, images::UNREADABLE),
        ("too wide", claiming_png(8193, 10), 400, images::TOO_DETAILED),
        ("too many pixels", claiming_png(8192, 8192), 400, images::TOO_DETAILED),
        ("more than 10 MB", png_of_bytes((10 << 20) + 1), 413, images::PHOTO_TOO_LARGE),
        ("no bytes", Vec::new(), 400, text::PHOTO_MISSING),
    ] {
        let response = add(&app, &token, &vehicle, bytes).await;
        let expected = (status, &json!(sentence.as_str()));
        assert_eq!((response.status.as_u16(), &response.body["message"]), expected, "{name}");
    }
    assert_eq!(count(&app, "SELECT count(*) FROM photos").await, 1);
}

#[tokio::test]
async fn photos_are_ordered_and_removed_and_a_list_has_only_the_cover() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token).await;
    let (one, two, three) = (
        add_photo(&app, &token, &vehicle).await,
        add_photo(&app, &token, &vehicle).await,
        add_photo(&app, &token, &vehicle).await,
    );
    let version = read_record(&app, &token, &vehicle).await["version"].clone();
    let ordered = order(&app, &token, &vehicle, &[&three, &one, &two]).await;
    assert_eq!((ordered.status.as_u16(), &ordered.body["message"]), (200, &json!(text::PHOTOS_ORDERED.as_str())));
    assert_eq!(ids(&ordered.body["data"]), [three.as_str(), &one, &two]);
    let listed = app.get(PATH, Some(&token)).await.body["data"][0].clone();
    assert_eq!((ids(&listed), &listed["photo_count"]), (vec![three.clone()], &json!(3)));

    let removed = delete(&app, &format!("{vehicle}/photos/{one}"), &token).await;
    assert_eq!((removed.status.as_u16(), &removed.body["message"]), (200, &json!(text::PHOTO_REMOVED.as_str())));
    let shown = read_record(&app, &token, &vehicle).await;
    assert_eq!((ids(&shown), &shown["photo_count"], &shown["version"]), (vec![three, two], &json!(2), &version));
    assert_error(&delete(&app, &format!("{vehicle}/photos/{one}"), &token).await, 404, NOT_FOUND.as_str());
    assert_eq!(fetch(&app, &format!("/api/photos/{}", one.replace('-', ""))).await.0, 404);
    let photos = |before: Value, after: u8| json!([{"field": "photos", "before": before, "after": after}]);
    let expected = [
        photos(json!(3), 2),
        json!([{"field": "photo_order", "before": null, "after": null}]),
        photos(json!(2), 3),
        photos(json!(1), 2),
        photos(json!(null), 1),
        json!([]),
    ];
    assert_eq!(changes(&app, &token, &vehicle).await, expected);
    // As it was with two photos, before the third one and the order.
    let id = vehicle.rsplit('/').next().unwrap();
    let history = app.get(&format!("/api/history?resource=vehicles&id={id}"), Some(&token)).await.body;
    let entry = history["data"][3]["history_id"].as_str().unwrap();
    let past = app.get(&format!("/api/history/{entry}/record"), Some(&token)).await.body;
    let values = past["data"]["values"].as_array().unwrap();
    let of = |name: &str| values.iter().find(|value| value["field"] == name).cloned().unwrap_or_default();
    assert_eq!(
        of("photos"),
        json!({"field": "photos", "value": 2, "present": 2, "is_changed": false, "is_known": true})
    );
    assert_eq!(of("photo_order")["is_changed"], true);
}

#[tokio::test]
async fn an_order_of_other_photos_gets_409_and_the_same_order_adds_no_entry() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token).await;
    let (one, two) = (add_photo(&app, &token, &vehicle).await, add_photo(&app, &token, &vehicle).await);
    let other = Uuid::now_v7().to_string();
    for stale in [vec![&one], vec![&one, &two, &other], vec![&one, &other], vec![]] {
        let response = order(&app, &token, &vehicle, &stale).await;
        assert_error(&response, 409, text::PHOTOS_CHANGED.as_str());
    }
    let twice = order(&app, &token, &vehicle, &[&one, &one]).await;
    assert_eq!(twice.body["fields"], json!({"order": [text::PHOTO_ORDER_INVALID.as_str()]}));
    assert_eq!(order(&app, &token, &vehicle, &[&one, &two]).await.status, 200);
    assert_eq!(changes(&app, &token, &vehicle).await.len(), 3);
}

#[tokio::test]
async fn an_order_based_on_an_older_one_gets_409_unless_it_is_stored_already() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token).await;
    let (one, two) = (add_photo(&app, &token, &vehicle).await, add_photo(&app, &token, &vehicle).await);
    let three = add_photo(&app, &token, &vehicle).await;
    let before = [&one, &two, &three];
    let send = async |order: [&String; 3]| {
        put(&app, &format!("{vehicle}/photos"), &token, json!({"order": order, "before": before})).await
    };
    assert_eq!(send([&two, &one, &three]).await.status, 200);
    assert_error(&send([&three, &one, &two]).await, 409, text::PHOTO_ORDER_CHANGED.as_str());
    // Sent again, because the response was lost.
    assert_eq!(send([&two, &one, &three]).await.status, 200);
    assert_eq!(ids(&read_record(&app, &token, &vehicle).await), [two, one, three]);
}

#[tokio::test]
async fn photos_that_are_added_at_once_are_all_kept() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token).await;
    let mut together = join_all((0..6).map(|_| add_photo(&app, &token, &vehicle))).await;
    // `add_photo` returns the photo that is the last one in its response, and all six must be stored.
    let mut kept = ids(&read_record(&app, &token, &vehicle).await);
    kept.sort_unstable();
    together.sort_unstable();
    assert_eq!(kept, together);
}

#[tokio::test]
async fn a_photo_that_is_sent_again_is_stored_once_in_each_vehicle() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let [one, other] = [create_vehicle(&app, &token).await, create_vehicle(&app, &token).await];
    let send = async |vehicle: &str, upload: &str| {
        let form = form("photo", jpeg(8, 6)).text("upload_id", upload.to_owned());
        app.send(app.request(Method::POST, &format!("{vehicle}/photos"), Some(&token)).multipart(form)).await
    };
    let [first, second] = [Uuid::now_v7().to_string(), Uuid::now_v7().simple().to_string()];
    for (vehicle, upload, photos) in [(&one, &first, 1), (&one, &first, 1), (&one, &second, 2), (&other, &first, 1)] {
        let response = send(vehicle, upload).await;
        assert_eq!((response.status.as_u16(), ids(&response.body["data"]).len()), (201, photos), "{}", response.body);
    }
    let at_once = Uuid::now_v7().to_string();
    for response in join_all((0..4).map(|_| send(&other, &at_once))).await {
        assert_eq!((response.status.as_u16(), ids(&response.body["data"]).len()), (201, 2), "{}", response.body);
    }
    assert_error(&send(&one, "1").await, 400, text::UPLOAD_ID_INVALID.as_str());
}

#[tokio::test]
async fn a_vehicle_has_at_most_thirty_photos() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let vehicle = create_vehicle(&app, &token).await;
    let photo = |n: u32| json!({"id": Uuid::from_u128(n.into()), "width": 4, "height": 3});
    let photos: Vec<Value> = (1..PHOTOS_MAX).map(photo).collect();
    let sql = app.db().sql("UPDATE vehicles SET photos = $1").bind(json!(photos).to_string());
    sql.exec().await.unwrap();
    let both = join_all([jpeg(8, 6), jpeg(8, 6)].map(|bytes| add(&app, &token, &vehicle, bytes))).await;
    let mut statuses: Vec<u16> = both.iter().map(|response| response.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
    let sentence = text::too_many_photos(PHOTOS_MAX.into()).to_string();
    assert_error(&add(&app, &token, &vehicle, jpeg(8, 6)).await, 409, &sentence);
}

#[tokio::test]
async fn the_photos_of_a_corporation_have_at_most_the_configured_size() {
    let app = TestApp::start_with(&["--photo-gb", "1"]).await;
    let (token, other) = (app.sign_in(CLERK).await, app.sign_in(OTHER_ADMIN).await);
    let vehicle = create_vehicle(&app, &token).await;
    let first = add_photo(&app, &token, &vehicle).await;
    let counted = count(&app, "SELECT size FROM photos").await;
    let stored = count(&app, "SELECT CAST(length(bytes) + length(thumbnail) AS BIGINT) FROM photos").await;
    assert_eq!(counted, stored);
    let set = async |size: i64| {
        app.db().sql("UPDATE photos SET size = $1").bind(size).exec().await.unwrap();
    };
    // Leave exactly enough storage for one more photo, which has the same size as the first.
    set((1 << 30) - counted).await;
    let second = add_photo(&app, &token, &vehicle).await;
    let sentence = text::photo_storage_full(1).to_string();
    assert_error(&add(&app, &token, &vehicle, jpeg(8, 6)).await, 409, &sentence);
    add_photo(&app, &other, &create_vehicle(&app, &other).await).await;
    assert_eq!(delete(&app, &format!("{vehicle}/photos/{second}"), &token).await.status, 200);
    add_photo(&app, &token, &vehicle).await;
    assert_ne!(first, second);
}

#[tokio::test]
async fn photos_stay_with_a_vehicle_in_the_trash_until_it_is_purged() {
    let (app, token) = TestApp::start_and_sign_in(CLERK).await;
    let admin = app.sign_in(crate::app::ADMIN).await;
    let mut vehicles = Vec::new();
    for _ in 0..3 {
        let vehicle = create_vehicle(&app, &token).await;
        let photo = add_photo(&app, &token, &vehicle).await;
        let shown = read_record(&app, &token, &vehicle).await;
        let link = shown["photos"][0]["url"].as_str().unwrap().to_owned();
        assert_eq!(delete(&app, &vehicle, &token).await.status, 200);
        assert_eq!(fetch(&app, &link).await.0, 404, "in the trash");
        vehicles.push((vehicle, photo, link));
    }
    let [(restored, photo, link), (purged, ..), (expired, ..)] = &vehicles[..] else { unreachable!() };
    let body = |vehicle: &str| json!({"resource": "vehicles", "ids": [id_of(vehicle)]});
    assert_eq!(app.post("/api/trash/restore", Some(&token), body(restored)).await.status, 200);
    assert_eq!(ids(&read_record(&app, &token, restored).await), [photo.as_str()]);
    assert_eq!(fetch(&app, link).await.0, 200);
    let request = app.request(Method::DELETE, "/api/trash", Some(&admin)).json(&body(purged));
    assert_eq!(app.send(request).await.status, 200);
    assert_eq!(count(&app, "SELECT count(*) FROM photos").await, 2);
    app.advance(31 * DAY);
    sweep(&app.app).await.unwrap();
    assert_eq!(count(&app, "SELECT count(*) FROM photos").await, 1, "{expired}");
}

#[tokio::test]
async fn a_purge_of_many_vehicles_is_one_batch_and_a_sweep_has_one_per_step() {
    let app = TestApp::start().await;
    // One more than are purged in a transaction.
    let many = 11;
    let (token, admin) = (app.sign_in(CLERK).await, app.sign_in(crate::app::ADMIN).await);
    let mut groups = Vec::new();
    for _ in 0..2 {
        let mut vehicles = Vec::new();
        for _ in 0..many {
            let vehicle = create_vehicle(&app, &token).await;
            add_photo(&app, &token, &vehicle).await;
            vehicles.push(id_of(&vehicle).to_owned());
        }
        let bulk = json!({"ids": vehicles, "action": "delete"});
        assert_eq!(app.post("/api/vehicles/bulk", Some(&admin), bulk).await.body["data"]["changed"], many);
        groups.push(vehicles);
    }
    let body = json!({"resource": "vehicles", "ids": groups[0]});
    let purged = app.send(app.request(Method::DELETE, "/api/trash", Some(&admin)).json(&body)).await;
    assert_eq!((purged.status.as_u16(), &purged.body["data"]["count"]), (200, &json!(many)));
    assert_eq!(count(&app, "SELECT count(*) FROM photos").await, many);
    app.advance(31 * DAY);
    sweep(&app.app).await.unwrap();
    assert_eq!(count(&app, "SELECT count(*) FROM photos").await, 0);
    let batches = "SELECT count(DISTINCT batch_id) FROM history WHERE action = 'purged' AND batch_id IS NOT NULL";
    // One batch of the request. The sweep has a batch for each step of several vehicles: the first step has ten, the
    // last one, so no batch.
    assert_eq!(count(&app, batches).await, 2);
    let entries = "SELECT count(*) FROM history WHERE action = 'purged' AND record_id IS NOT NULL";
    assert_eq!(count(&app, entries).await, 2 * many);
}

#[tokio::test]
async fn only_who_may_update_vehicles_of_the_corporation_changes_their_photos() {
    let app = TestApp::start().await;
    let (token, reader, other) = (app.sign_in(CLERK).await, app.sign_in(READER).await, app.sign_in(OTHER_ADMIN).await);
    let vehicle = create_vehicle(&app, &token).await;
    let photo = add_photo(&app, &token, &vehicle).await;
    for (token, status) in [(&reader, 403), (&other, 404)] {
        assert_eq!(add(&app, token, &vehicle, jpeg(8, 6)).await.status, status);
        assert_eq!(order(&app, token, &vehicle, &[&photo]).await.status, status);
        assert_eq!(delete(&app, &format!("{vehicle}/photos/{photo}"), token).await.status, status);
    }
    // The photo does not belong to the vehicle in the path.
    let second = create_vehicle(&app, &token).await;
    assert_eq!(delete(&app, &format!("{second}/photos/{photo}"), &token).await.status, 404);
    assert_eq!(ids(&read_record(&app, &token, &vehicle).await), [photo]);
}
