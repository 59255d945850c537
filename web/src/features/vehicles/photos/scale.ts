/** Longest side of a photo that is sent, in pixels. The server scales it down further. */
const MAX_PIXELS = 2048
/** A JPEG of at most this many bytes is sent as it is. */
const SMALL_BYTES = 1_500_000
const QUALITY = 0.9

/**
 * Scales a photo of a phone down and makes a JPEG of it, also of a format that the server doesn't read but the browser does. A file that
 * the browser can't read is returned as it is, so that the server says why.
 */
export async function scaleDown(file: Blob): Promise<Blob> {
  if (file.type === 'image/jpeg' && file.size <= SMALL_BYTES) return file
  try {
    // Rotated upright.
    const picture = await createImageBitmap(file)
    const factor = Math.min(1, MAX_PIXELS / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(picture.width * factor))
    canvas.height = Math.max(1, Math.round(picture.height * factor))
    const context = canvas.getContext('2d')
    if (!context) return file
    context.imageSmoothingQuality = 'high'
    // A JPEG isn't transparent.
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
