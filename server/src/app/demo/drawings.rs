//! Draws the pictures that the demo has in place of photos of vehicles. Each consists of a few filled polygons, so that
//! the demo starts quickly.

use crate::features::images::{Photo, encode_photo};
use image::{DynamicImage, RgbImage};
use std::collections::HashMap;

const WIDTH: u32 = 480;
const HEIGHT: u32 = 360;
/// Pixels of a picture per unit of the drawing's coordinates. The whole drawing is 640 units wide and 480 high.
const PIXELS: f32 = 0.75;
/// How many lines of each row of pixels are computed, so that edges are smooth.
const LINES: u32 = 2;

type Point = (f32, f32);
type Color = [u8; 3];

/// The part of the drawing that a picture shows: its magnification, and the coordinates of the picture's top left
/// corner.
#[derive(Clone, Copy)]
struct View {
    scale: f32,
    left: f32,
    top: f32,
}

/// The whole car from the side, its front wheel, and its rear.
const VIEWS: [View; 3] = [
    View { scale: 1.0, left: 0.0, top: 0.0 },
    View { scale: 1.9, left: 30.0, top: 150.0 },
    View { scale: 1.7, left: 255.0, top: 130.0 },
];

const TYRE: Color = [28, 29, 32];
const GLASS: Color = [44, 54, 66];
const LAMP: Color = [240, 242, 244];
const REAR_LAMP: Color = [190, 32, 32];

/// The outlines of a vehicle's body and of its windows, and the x coordinates of its wheels. Its front is at the left.
struct Shape {
    body: &'static [Point],
    windows: &'static [Point],
    wheels: [f32; 2],
}

const ESTATE: Shape = Shape {
    body: &[
        (62.0, 330.0),
        (60.0, 286.0),
        (82.0, 262.0),
        (190.0, 244.0),
        (262.0, 196.0),
        (340.0, 184.0),
        (480.0, 188.0),
        (556.0, 212.0),
        (582.0, 258.0),
        (584.0, 330.0),
        (560.0, 340.0),
        (90.0, 340.0),
    ],
    windows: &[(212.0, 246.0), (270.0, 206.0), (340.0, 196.0), (474.0, 200.0), (540.0, 224.0), (552.0, 250.0)],
    wheels: [164.0, 482.0],
};
const SUV: Shape = Shape {
    body: &[
        (64.0, 330.0),
        (62.0, 268.0),
        (84.0, 240.0),
        (186.0, 226.0),
        (250.0, 168.0),
        (340.0, 156.0),
        (490.0, 160.0),
        (554.0, 190.0),
        (580.0, 246.0),
        (582.0, 330.0),
        (560.0, 342.0),
        (92.0, 342.0),
    ],
    windows: &[(208.0, 228.0), (260.0, 180.0), (340.0, 170.0), (484.0, 174.0), (538.0, 204.0), (548.0, 232.0)],
    wheels: [166.0, 480.0],
};
const HATCHBACK: Shape = Shape {
    body: &[
        (84.0, 330.0),
        (82.0, 286.0),
        (102.0, 262.0),
        (198.0, 244.0),
        (266.0, 192.0),
        (350.0, 180.0),
        (450.0, 190.0),
        (530.0, 236.0),
        (556.0, 264.0),
        (558.0, 330.0),
        (536.0, 340.0),
        (110.0, 340.0),
    ],
    windows: &[(218.0, 246.0), (274.0, 204.0), (350.0, 193.0), (440.0, 202.0), (506.0, 244.0)],
    wheels: [178.0, 464.0],
};
const VAN: Shape = Shape {
    body: &[
        (60.0, 330.0),
        (58.0, 262.0),
        (76.0, 232.0),
        (132.0, 212.0),
        (190.0, 134.0),
        (240.0, 120.0),
        (560.0, 118.0),
        (592.0, 140.0),
        (596.0, 330.0),
        (574.0, 344.0),
        (84.0, 344.0),
    ],
    windows: &[(152.0, 214.0), (200.0, 148.0), (240.0, 138.0), (300.0, 138.0), (300.0, 214.0)],
    wheels: [160.0, 500.0],
};

/// The type of a vehicle's body and its colour, in English or Swedish, and an index into [`VIEWS`].
type Key = (String, String, usize);

/// The pictures drawn so far, so that each is drawn and encoded only once; `None` for one that can't be encoded.
#[derive(Default)]
pub struct Drawings(HashMap<Key, Option<Photo>>);

impl Drawings {
    /// Returns a picture of a vehicle with this type of body and colour; `None` if it can't be encoded. `view` is an
    /// index into [`VIEWS`], which starts over after the last.
    pub fn photo(&mut self, body: &str, colour: &str, view: usize) -> Option<Photo> {
        let key = (body.to_owned(), colour.to_owned(), view % VIEWS.len());
        let encoded = self.0.entry(key).or_insert_with_key(|(body, colour, view)| {
            encode_photo(DynamicImage::from(draw(body, colour, VIEWS[*view])?)).ok()
        });
        encoded.clone()
    }
}

fn draw(body: &str, colour: &str, view: View) -> Option<RgbImage> {
    let mut canvas = Canvas { image: vec![0; (WIDTH * HEIGHT * 3) as usize], view };
    canvas.background();
    let shape = match body {
        "SUV" => SUV,
        "Hatchback" | "Halvkombi" => HATCHBACK,
        "Van" | "Skåpbil" => VAN,
        _ => ESTATE,
    };
    let has_pillars = !matches!(body, "Van" | "Skåpbil");
    let paint = paint(colour);
    // The shadow on the ground.
    canvas.fill(&ellipse(322.0, 372.0, 290.0, 20.0), [150, 155, 163]);
    canvas.fill(&rounded(shape.body), paint);
    let (first, last) = (shape.body[0].0, shape.body[shape.body.len() - 3].0);
    let sill = [(first + 16.0, 322.0), (last - 12.0, 322.0), (last - 18.0, 342.0), (first + 24.0, 342.0)];
    canvas.fill(&sill, shaded(paint, 0.7));
    canvas.fill(&rounded(shape.windows), GLASS);
    let (top, bottom) = (shape.windows[2].1 + 1.0, shape.windows[0].1 + 6.0);
    for x in [350.0, 440.0].into_iter().filter(|_| has_pillars) {
        canvas.fill(&[(x, top), (x + 9.0, top), (x + 14.0, bottom), (x + 5.0, bottom)], shaded(paint, 0.85));
    }
    let line = [(first + 34.0, 279.0), (last - 18.0, 272.0), (last - 18.0, 275.0), (first + 34.0, 282.0)];
    canvas.fill(&line, shaded(paint, 1.25));
    for x in [370.0, 462.0] {
        canvas.fill(&[(x, 262.0), (x + 26.0, 261.0), (x + 26.0, 266.0), (x, 267.0)], shaded(paint, 0.6));
    }
    let [front, rear] = [shape.body[1], shape.body[shape.body.len() - 4]];
    canvas.fill(
        &rounded(&[(front.0 + 10.0, 268.0), (front.0 + 62.0, 264.0), (front.0 + 44.0, 284.0), (front.0 + 6.0, 290.0)]),
        LAMP,
    );
    canvas.fill(
        &rounded(&[(rear.0 - 22.0, 256.0), (rear.0 + 4.0, 262.0), (rear.0 + 2.0, 296.0), (rear.0 - 18.0, 288.0)]),
        REAR_LAMP,
    );
    for x in shape.wheels {
        canvas.wheel(x, 332.0);
    }
    RgbImage::from_raw(WIDTH, HEIGHT, canvas.image)
}

/// Returns the colour in which a vehicle with this colour, such as "Silver", is drawn; grey if it has none of these.
fn paint(colour: &str) -> Color {
    match colour {
        "Black" | "Svart" => [38, 40, 46],
        "White" | "Vit" => [232, 234, 237],
        "Silver" => [178, 184, 190],
        "Blue" | "Blå" => [38, 84, 128],
        "Red" | "Röd" => [158, 36, 40],
        "Green" | "Grön" => [44, 96, 72],
        _ => [104, 110, 118],
    }
}

fn shaded(color: Color, factor: f32) -> Color {
    color.map(|value| (f32::from(value) * factor).min(255.0) as u8)
}

/// Returns the polygon with rounded corners: cuts each corner off, and then each corner of the result.
fn rounded(points: &[Point]) -> Vec<Point> {
    let mut points = points.to_vec();
    for _ in 0..2 {
        let next = points.iter().cycle().skip(1);
        let cut = points.iter().zip(next).flat_map(|(&(ax, ay), &(bx, by))| {
            [(ax * 0.8 + bx * 0.2, ay * 0.8 + by * 0.2), (ax * 0.2 + bx * 0.8, ay * 0.2 + by * 0.8)]
        });
        points = cut.collect();
    }
    points
}

fn ellipse(x: f32, y: f32, width: f32, height: f32) -> Vec<Point> {
    let angles = (0..48_u8).map(|step| f32::from(step) * std::f32::consts::TAU / 48.0);
    angles.map(|angle| (x + width * angle.cos(), y + height * angle.sin())).collect()
}

struct Canvas {
    /// The picture's pixels, row by row, each as three bytes: red, green and blue.
    image: Vec<u8>,
    view: View,
}

impl Canvas {
    /// Draws what is behind the car: a wall with windows, and the ground.
    fn background(&mut self) {
        self.fill(&[(-9.0, -9.0), (999.0, -9.0), (999.0, 330.0), (-9.0, 330.0)], [222, 228, 236]);
        self.fill(&[(-9.0, 40.0), (999.0, 40.0), (999.0, 70.0), (-9.0, 70.0)], [43, 93, 175]);
        for column in 0..6_u8 {
            let x = f32::from(column) * 112.0 + 14.0;
            self.fill(&[(x, 96.0), (x + 88.0, 96.0), (x + 88.0, 300.0), (x, 300.0)], [202, 211, 222]);
        }
        self.fill(&[(-9.0, 330.0), (999.0, 330.0), (999.0, 999.0), (-9.0, 999.0)], [184, 189, 197]);
    }

    fn wheel(&mut self, x: f32, y: f32) {
        for (radius, color) in [(46.0, TYRE), (31.0, [196, 200, 205]), (26.0, [72, 76, 82])] {
            self.fill(&ellipse(x, y, radius, radius), color);
        }
        for spoke in 0..5_u8 {
            let angle = f32::from(spoke) * std::f32::consts::TAU / 5.0;
            let at = |turn: f32, radius: f32| (x + radius * (angle + turn).cos(), y + radius * (angle + turn).sin());
            self.fill(&[at(-0.5, 6.0), at(-0.18, 28.0), at(0.18, 28.0), at(0.5, 6.0)], [196, 200, 205]);
        }
        self.fill(&ellipse(x, y, 7.0, 7.0), [196, 200, 205]);
    }

    /// Fills a polygon, given in the drawing's coordinates: on each line of pixels, the parts between pairs of its
    /// edges.
    fn fill(&mut self, points: &[Point], color: Color) {
        let View { scale, left, top } = self.view;
        let at = |(x, y): &Point| ((x - left) * scale * PIXELS, (y - top) * scale * PIXELS);
        let points: Vec<Point> = points.iter().map(at).collect();
        let edge = |pick: fn(&Point) -> f32, most: u32| {
            let places = || points.iter().map(pick);
            let first = places().fold(f32::MAX, f32::min).max(0.0) as u32;
            (first, (places().fold(0.0, f32::max) as u32).min(most - 1))
        };
        let (highest, lowest) = edge(|point| point.1, HEIGHT);
        let (first, last) = edge(|point| point.0, WIDTH);
        if first > last {
            return;
        }
        let mut crossings = Vec::new();
        for row in highest..=lowest {
            let mut cover = vec![0.0_f32; (last - first + 1) as usize];
            for line in 0..LINES {
                let y = row as f32 + (line as f32 + 0.5) / LINES as f32;
                crossings.clear();
                for (&(ax, ay), &(bx, by)) in points.iter().zip(points.iter().cycle().skip(1)) {
                    if (ay <= y) != (by <= y) {
                        crossings.push(ax + (y - ay) / (by - ay) * (bx - ax) - first as f32);
                    }
                }
                crossings.sort_unstable_by(f32::total_cmp);
                for pair in crossings.chunks_exact(2) {
                    add_cover(&mut cover, pair[0], pair[1]);
                }
            }
            let start = ((row * WIDTH + first) * 3) as usize;
            for (pixel, cover) in self.image[start..].chunks_exact_mut(3).zip(&cover) {
                blend(pixel, color, cover / LINES as f32);
            }
        }
    }
}

/// Adds to `cover`, for each pixel of a row, the part of its width (0 to 1) that is between the x coordinates `from`
/// and `to`.
fn add_cover(cover: &mut [f32], from: f32, to: f32) {
    let (from, to) = (from.max(0.0), to.min(cover.len() as f32));
    if to <= from {
        return;
    }
    let (first, last) = (from as usize, (to as usize).min(cover.len() - 1));
    for pixel in &mut cover[first..=last] {
        *pixel += 1.0;
    }
    cover[first] -= from - first as f32;
    cover[last] -= (last as f32 + 1.0 - to).max(0.0);
}

fn blend(pixel: &mut [u8], color: Color, cover: f32) {
    if cover >= 0.999 {
        pixel.copy_from_slice(&color);
    } else if cover > 0.0 {
        for (old, new) in pixel.iter_mut().zip(color) {
            *old = (f32::from(*old) * (1.0 - cover) + f32::from(new) * cover) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stock;
    use super::*;

    #[test]
    fn a_vehicle_looks_the_same_in_both_languages() {
        let bodies = [stock::ESTATE, stock::SUV, stock::HATCHBACK, stock::VAN];
        for (n, [english, swedish]) in stock::COLOURS.into_iter().enumerate() {
            let [english_body, swedish_body] = bodies[n % bodies.len()];
            let pictures = [(english_body, english), (swedish_body, swedish)];
            let [first, second] = pictures.map(|(body, colour)| draw(body, colour, VIEWS[0]).unwrap());
            assert!(first == second, "{english_body} {english}");
        }
    }

    #[test]
    fn every_body_and_view_is_a_small_picture_with_the_colour_of_the_car() {
        let mut drawings = Drawings::default();
        for body in ["Estate", "SUV", "Hatchback", "Van"] {
            for view in 0..VIEWS.len() {
                let photo = drawings.photo(body, "Red", view).unwrap();
                let picture = image::load_from_memory(&photo.bytes).unwrap().into_rgb8();
                assert_eq!((picture.dimensions(), photo.width, photo.height), ((WIDTH, HEIGHT), WIDTH, HEIGHT));
                let is_red = |pixel: &&image::Rgb<u8>| pixel.0[0] > 120 && pixel.0[1] < 90 && pixel.0[2] < 90;
                assert!(picture.pixels().filter(is_red).count() > 5_000, "{body} {view}");
                assert!(photo.bytes.len() < 60_000 && photo.thumbnail.len() < 20_000, "{}", photo.bytes.len());
            }
        }
    }
}
