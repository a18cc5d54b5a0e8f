/** Another PIN of the same length and characters, another one for each number from 1 to 9. */
export function wrongPin(pin: string, number = 1): string {
  const last = pin.charAt(pin.length - 1)
  const shifted = /\d/.test(last) ? String((Number(last) + number) % 10) : String(number)
  return pin.slice(0, -1) + shifted
}
