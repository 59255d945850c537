/** Longest side of an uploaded picture, in pixels. The server scales it down further. */
const MAX_PIXELS = 1024

/** A square part of a picture, in the picture's own pixels. */
export type Square = { x: number; y: number; width: number; height: number }

/** Loads and decodes the picture at a URL. Rejects if the browser can't decode it. */
export async function loadPicture(src: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = src
  await picture.decode()
  return picture
}

/** Crops a picture to a square. `type` is its MIME type: a PNG stays a PNG, because it may be transparent. */
export async function cropPicture(picture: HTMLImageElement, square: Square, type: string): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const side = Math.max(1, Math.round(Math.min(square.width, MAX_PIXELS)))
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser gives no canvas to draw on')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, square.x, square.y, square.width, square.height, 0, 0, side, side)
  const kind = type === 'image/png' ? 'image/png' : 'image/jpeg'
  return new Promise((done, fail) => {
    canvas.toBlob(blob => (blob ? done(blob) : fail(new Error('The canvas gave no picture'))), kind, 0.9)
  })
}
