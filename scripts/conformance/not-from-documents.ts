/**
 * Checks of the catalogue that no statement of the profile requires: they are based on another
 * standard or on good practice, so they cannot be of level `spec`.
 */
export const notFromDocuments: readonly string[] = [
  ...range('W', 17, 26),
  ...['W28', 'W38', ...range('W', 53, 55)],
  ...['V02', 'V03', 'V08', 'V10', 'V18', 'V37', ...range('V', 42, 48), 'V51'],
  ...['I09', 'I14', 'I18', 'I19', 'I20', 'I41', 'I42', 'I43', 'I45', 'I47', 'I65', 'I66'],
  ...['I70', 'I71'],
  ...['O06', 'O07', 'O16', 'O17'],
]

/** Ids of the original catalogue of each plan; all of them must exist. */
export const catalogue = {
  wallet: range('W', 1, 55),
  verifier: range('V', 1, 51),
  issuer: range('I', 1, 81),
  idp: range('O', 1, 17),
  'did-registry': range('D', 1, 20),
  tir: range('T', 1, 15),
} as const

/** `range('W', 1, 3)`: W01, W02, W03. */
function range(letter: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    return `${letter}${String(first + index).padStart(2, '0')}`
  })
}
