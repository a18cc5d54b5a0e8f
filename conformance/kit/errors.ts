import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'

export function noCheckFits(pattern: string, suggestions: readonly string[]): TestbedError {
  return new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: `No check matches ${pattern}.`,
    hints: [...suggestions, `${programCommand} conformance PLAN --list lists all checks.`],
  })
}

export function unreadableSigningKey(problem: string): TestbedError {
  return new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: `The signing key cannot be read. ${problem}`,
    hints: ['Use a JWK or PKCS#8 in PEM, with an Ed25519, P-256 or secp256k1 key.'],
  })
}

/** `file`: as given on the command line. */
export function privateKeyGiven(file: string): TestbedError {
  return new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: `${file === '-' ? 'stdin' : file} contains a private key.`,
    hints: ['Use the public key, for example operator-public.pem.'],
  })
}

export function unreadablePublicKey(): TestbedError {
  return new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: 'The public key cannot be read.',
    hints: [
      'Use a public JWK or SPKI in PEM, with an Ed25519, P-256 or secp256k1 key, never a private key.',
    ],
  })
}
