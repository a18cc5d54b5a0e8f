/**
 * Undoes the row filters of a PNG in place (W3C PNG, section 9). Each row is one filter byte and
 * `rowLength` bytes; `pixelLength` is how far back the pixel to the left lies, at least 1. False
 * where a row names a filter that does not exist.
 */
export function unfilterPngRows(
  data: Uint8Array,
  { rows, rowLength, pixelLength }: { rows: number; rowLength: number; pixelLength: number },
): boolean {
  const stride = rowLength + 1
  for (let row = 0; row < rows; row++) {
    const start = row * stride + 1
    const filter = data[start - 1] ?? 0
    if (filter > 4) return false
    if (filter === 0) continue
    for (let column = 0; column < rowLength; column++) {
      const index = start + column
      const left = column < pixelLength ? 0 : (data[index - pixelLength] ?? 0)
      const up = row === 0 ? 0 : (data[index - stride] ?? 0)
      const upLeft =
        row === 0 || column < pixelLength ? 0 : (data[index - stride - pixelLength] ?? 0)
      data[index] = (data[index] ?? 0) + predict(filter, left, up, upLeft)
    }
  }
  return true
}

function predict(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const estimate = left + up - upLeft
  const toLeft = Math.abs(estimate - left)
  const toUp = Math.abs(estimate - up)
  const toUpLeft = Math.abs(estimate - upLeft)
  if (toLeft <= toUp && toLeft <= toUpLeft) return left
  return toUp <= toUpLeft ? up : upLeft
}
