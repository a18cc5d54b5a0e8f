import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { certificateOfJwk, createCertificate } from '#conformance/kit/create-certificate.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

it.each(['secp256k1', 'Ed25519', 'P-256'] as const)(
  'creates a certificate of a %s key that OpenSSL reads and verifies',
  (curve) => {
    const { privateKey } = createAccount({ curve })
    const certificate = new X509Certificate(Buffer.from(certificateOfJwk(privateKey), 'base64'))
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.publicKey.export({ format: 'jwk' })).toMatchObject({ x: privateKey.x })
  },
)

it('creates a certificate of an RSA key', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const certificate = new X509Certificate(Buffer.from(createCertificate(privateKey), 'base64'))
  expect(certificate.verify(certificate.publicKey)).toBe(true)
})
