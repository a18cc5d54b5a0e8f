import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'

/** As the kit's HTTP client says it. */
export function noAnswer(url: string | URL, cause: unknown): TestbedError {
  const reason = cause instanceof Error ? (cause.cause ?? cause) : cause
  return new TestbedError({
    code: 'no_answer',
    status: 503,
    message: `${url} had no answer: ${reason instanceof Error ? reason.message : reason}`,
    cause,
  })
}

export function noCheckFits(pattern: string, suggestions: readonly string[]): TestbedError {
  return new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: `No check fits ${pattern}.`,
    hints: [...suggestions, `${programCommand} conformance PLAN --list shows what there is.`],
  })
}

export function unreadableSigningKey(problem: string): TestbedError {
  return new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: `The key to sign with cannot be read. ${problem}`,
    hints: ['A JWK or PKCS#8 in PEM, of Ed25519, P-256 or secp256k1.'],
  })
}

export function unreadablePublicKey(): TestbedError {
  return new TestbedError({
    code: 'invalid_option',
    status: 400,
    message: 'The public key cannot be read.',
    hints: ['A public JWK or SPKI in PEM, of Ed25519, P-256 or secp256k1; never a private key.'],
  })
}
