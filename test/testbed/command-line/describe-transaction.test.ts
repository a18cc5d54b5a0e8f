import { Interface } from 'ethers'
import { describe, expect, it } from 'vitest'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import { createDidKey } from '#test/support/create-did-key.ts'
import { vMethodIdOf } from '#test/support/registries.ts'
import { describeTransaction } from '#testbed/command-line/describe-transaction.ts'

const registry = new Interface(didRegistryAbi as never)
const tir = new Interface(trustedIssuersRegistryAbi as never)
const key = createDidKey('one organization')
const other = createDidKey('another organization')

const describeCall = (iface: Interface, name: string, ...args: unknown[]) => {
  const lines = describeTransaction({
    to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    data: iface.encodeFunctionData(name, args),
    gasLimit: '0x7a120',
    gasPrice: '0x0',
    chainId: '0x4f25',
    nonce: '0x2a',
    value: '0x0',
    from: key.address,
  })
  return lines.join('\n')
}

describe('describeTransaction', () => {
  it('describes the function and its arguments, roles, uses and times', () => {
    const relationship = [key.did, 1, key.vMethodId, 1_795_248_320, 2_110_608_320]
    const text = describeCall(registry, 'addVerificationRelationship', ...relationship)
    expect(text).toContain('addVerificationRelationship')
    expect(text).toContain(`did: ${key.did}`)
    expect(text).toContain('relationship: assertionMethod')
    expect(text).toContain(`vMethodId: ${vMethodIdOf(key)}`)
    expect(text).toContain('notAfter: 2036-11-18T08:05:20Z (2110608320)')
    expect(text).toContain(`from ${key.address}, transaction number 42`)
    expect(text).toContain('on chain 20261 (0x4f25)')
    const id = `0x${'ab'.repeat(32)}`
    const metadata = describeCall(tir, 'setAttributeMetadata', key.did, id, 4, other.did, id)
    expect(metadata).toContain('issuerType: REVOKED')
    expect(metadata).toContain(`taoDid: ${other.did}`)
  })

  it('shows the members of a struct, a key as JSON, and any time', () => {
    const jwk = Buffer.from('{"kty":"EC","crv":"P-256"}')
    const text = describeCall(registry, 'rollVerificationMethod', key.did, key.vMethodId, [
      other.vMethodId,
      1,
      jwk,
      0,
      2n ** 64n - 1n,
      3600,
    ])
    expect(text).toContain(`oldVMethodId: ${vMethodIdOf(key)}`)
    expect(text).toContain(`  vMethodId: ${vMethodIdOf(other)}`)
    expect(text).toContain('publicKey: {"kty":"EC","crv":"P-256"}')
    expect(text).toContain('notBefore: 1970-01-01T00:00:00Z (0)')
    expect(text).toContain('duration: 3600')
  })

  it('describes an accreditation, and says if it is invalid', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const credentialSubject = {
      id: key.did,
      reservedAttributeId: '0x01',
      accreditedFor: [{ types: ['OrgPortalLearCredential'] }],
    }
    const jwt = `${part({ alg: 'ES256K' })}.${part({ iss: other.did, vc: { credentialSubject } })}.AA`
    const data = (content: string) =>
      describeCall(tir, 'setAttributeData', key.did, key.vMethodId, Buffer.from(content))
    expect(data(jwt)).toContain(
      `an accreditation of ${key.did} by ${other.did}, for OrgPortalLearCredential`,
    )
    expect(data('nonsense')).toContain('not a valid accreditation')
  })

  it('prevents a string from moving the cursor of a terminal', () => {
    const text = describeCall(registry, 'updateAlsoKnownAs', key.did, 'urn:x\u001b[2Jy\r\nz')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f]/)
    expect(text).toContain('alternativeIdentifier: urn:x')
  })

  it('reports an unknown call', () => {
    const [, line] = describeTransaction({
      to: key.address,
      data: '0xdeadbeef00',
      gasLimit: '0x1',
      gasPrice: '0x0',
      chainId: '0x1',
      nonce: '0x0',
      value: '0x0',
      from: key.address,
    })
    expect(line).toContain('unknown call data: 0xdeadbeef, 5 bytes')
  })
})
