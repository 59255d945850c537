/** Longest side of a photo that is sent, in pixels. The server scales it down further. */
const MAX_PIXELS = 2048
/** A JPEG of at most this many bytes is sent without scaling. */
const SMALL_BYTES = 1_500_000
const QUALITY = 0.9

/**
 * Scales a photo down and converts it to JPEG, also from formats that the browser can read but the server can't.
 * Returns a small JPEG unchanged, and also a file that the browser can't read, so that the server rejects it with a
 * reason.
 */
export async function scaleDown(file: Blob): Promise<Blob> {
  if (file.type === 'image/jpeg' && file.size <= SMALL_BYTES) return file
  try {
    // The bitmap is rotated as the photo's EXIF orientation says.
    const picture = await createImageBitmap(file)
    const factor = Math.min(1, MAX_PIXELS / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * factor))
    canvas.height = Math.max(1, Math.round(picture.height * factor))
    const context = canvas.getContext('2d')
    if (!context) return file
    context.imageSmoothingQuality = 'high'
    // White behind transparent parts, because a JPEG can't be transparent.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    const scaled = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', QUALITY))
    return scaled ?? file
  } catch {
    return file
  }
}
