/** A picture of an animation: a lossy WebP file, and how long it is shown. */
export type Frame = { picture: Buffer; milliseconds: number }

/** Length of the headers `RIFF`, size and `WEBP` before the chunks of a WebP file. */
const HEADER = 12

const uint24 = (value: number) => Buffer.from([value, value >> 8, value >> 16])

/** Returns a length with the byte that fills up chunks of odd lengths. */
const even = (length: number) => length + (length % 2)

function chunk(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.write(name, 0, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(even(content.length) - content.length)])
}

/** Returns the chunk of a lossy WebP file that has the picture, without the colour profile before it. */
function pictureChunk(file: Buffer): Buffer {
  let start = HEADER
  while (file.toString('latin1', start, start + 4) !== 'VP8 ') start += 8 + even(file.readUInt32LE(start + 4))
  return file.subarray(start, start + 8 + even(file.readUInt32LE(start + 4)))
}

/**
 * Returns a WebP file that shows the frames again and again. All of them have the size of the animation.
 * Source: RFC 9649, section 2.7.1.
 */
export function animatedWebp({ width, height }: { width: number; height: number }, frames: Frame[]): Buffer {
  const size = [uint24(width - 1), uint24(height - 1)]
  const isAnimated = Buffer.from([2, 0, 0, 0])
  const whiteForever = Buffer.from([255, 255, 255, 255, 0, 0])
  const origin = Buffer.alloc(6)
  // The picture replaces the pixels of the one before instead of being blended with them.
  const replaces = Buffer.from([2])
  const pictures = frames.map(({ picture, milliseconds }) =>
    chunk('ANMF', origin, ...size, uint24(milliseconds), replaces, pictureChunk(picture)),
  )
  return chunk(
    'RIFF',
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', isAnimated, ...size),
    chunk('ANIM', whiteForever),
    ...pictures,
  )
}
