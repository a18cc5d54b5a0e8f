import { createPublicKey, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callRpc } from '#test/support/chain.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'
import { runCommand } from '#test/support/processes.ts'
import { startRegistries, validFrom, validUntil, vMethodIdOf } from '#test/support/registries.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

const attributeIdOf = (digit: string) => digit.repeat(64)
const rootId = attributeIdOf('a')
const taoId = attributeIdOf('b')
const type = 'OrgPortalLearCredential'

const registries = await startRegistries()

async function registerMember(label: string): Promise<DidKey> {
  const key = await registries.didRegistry.register(label)
  await registries.didRegistry.write(key, 'addVerificationRelationship', {
    did: key.did,
    name: 'assertionMethod',
    vMethodId: vMethodIdOf(key),
    notBefore: validFrom,
    notAfter: validUntil,
  })
  return key
}

// The onboarding node sends one after the other.
const root = await registerMember('the root')
const tao = await registerMember('a TAO')
const issuer = await registerMember('an issuer')

/** A folder in which the commands run, with the registries given by address. */
function inFolder() {
  const cwd = createTemporaryFolder()
  const trust = (args: readonly string[]) => runCommand(['trust', ...args], { cwd })
  const json = async (args: readonly string[]) => {
    const { stdout, exitCode, stderr } = await trust([...args, '--json'])
    expect(exitCode, stderr + stdout).toBe(0)
    return JSON.parse(stdout)
  }
  const key = ({ wallet, address }: DidKey, option = '--key-file') => {
    writeFileSync(join(cwd, address), wallet.privateKey)
    return [option, address]
  }
  const { tir, chain, didRegistry } = registries.addresses
  return {
    cwd,
    trust,
    json,
    key,
    writing: [...tir, ...chain],
    publishing: [...tir, ...chain, ...didRegistry],
    reading: [...tir.slice(0, 2), ...didRegistry],
  }
}

const statusOf = async (hash: string) => {
  const { result } = await callRpc(registries.chain.rpcUrl, 'eth_getTransactionReceipt', hash)
  return (result as { status: string }).status
}

const underTao = (...more: string[]) => ['--tao', tao.did, '--tao-attribute', taoId, ...more]

describe('testbed trust with third-party registries', () => {
  // @row 2.what-the-service-does.3 2.endpoints/tir.13 2.endpoints/tir.14
  it('publishes a chain from the root to an issuer, and each hop is valid', async () => {
    const { trust, json, key, publishing, reading } = inFolder()
    const { operator } = registries.chain
    const rootKeys = [...key(root), ...key(operator, '--sender-key-file')]
    const underRoot = ['--tao', root.did, '--tao-attribute', rootId]
    await json([
      ...['publish', root.did, '--type', 'ROOT_TAO', '--attribute-id', rootId],
      ...publishing,
      ...rootKeys,
    ])
    await json([
      ...['publish', tao.did, '--type', 'TAO', '--attribute-id', `0x${taoId}`],
      ...publishing,
      ...key(root),
      ...underRoot,
    ])
    const published = await json([
      ...['publish', issuer.did, '--accredited-for', type, 'OtherCredential'],
      ...publishing,
      ...key(tao),
      ...underTao(),
    ])
    expect(published.transactions).toHaveLength(2)
    for (const hash of published.transactions) expect(await statusOf(hash)).toBe('0x1')
    const { body } = await registries.tir.read(issuer.did, published.attributeId)
    expect(body).toEqual({
      did: issuer.did,
      attribute: {
        body: published.jwt,
        hash: published.attributeId,
        issuerType: 'TI',
        rootTao: root.did,
        tao: tao.did,
        attributeIdTao: taoId,
      },
    })
    expect(published.url).toBe(
      `${registries.tir.baseUrl}/v1/issuers/${issuer.did}/attributes/${published.attributeId}`,
    )
    expect(claimsOf(published.jwt, tao)).toMatchObject({
      iss: tao.did,
      sub: issuer.did,
      vc: {
        credentialSubject: {
          id: issuer.did,
          reservedAttributeId: `0x${published.attributeId}`,
          accreditedFor: [{ types: [type, 'OtherCredential'] }],
        },
        termsOfUse: {
          id: `${registries.tir.baseUrl}/v1/issuers/${tao.did}/attributes/${taoId}`,
        },
      },
    })

    const show = ['show', issuer.did, published.attributeId, ...reading]
    const shown = await json([...show, '--root-did', root.did])
    expect(shown.ok).toBe(true)
    expect(shown.steps.map((step: { issuerType: string }) => step.issuerType)).toEqual([
      'TI',
      'TAO',
      'RTAO',
    ])
    const talk = await trust([...show, '--root-did', root.did])
    expect(talk.exitCode).toBe(0)
    expect(talk.stdout.match(/✓ trust\.signature/g)).toHaveLength(3)
    expect(talk.stdout).toContain('✓ trust.root')

    // The same chain does not hold for a type it does not cover, nor under another root.
    const other = await trust([...show, '--root-did', root.did, '--credential-type', 'Unknown'])
    expect(other.exitCode).toBe(1)
    expect(other.stdout).toContain('✗ trust.accredited-for')
    const unrooted = await trust(show)
    expect(unrooted.exitCode).toBe(1)
    expect(unrooted.stdout).toContain('? trust.root')
    expect(unrooted.stderr).toContain('--root-did')
  })

  // @row 2.states-and-transitions.7
  it('revokes once with the taoDid of the publication, and shows it', async () => {
    const { trust, json, key, writing, publishing, reading } = inFolder()
    const attributeId = attributeIdOf('d')
    const publish = ['publish', issuer.did, '--attribute-id', attributeId, ...publishing]
    await json([...publish, ...key(tao), ...underTao()])
    const revoke = ['revoke', issuer.did, attributeId, ...writing, ...key(tao)]
    const revoked = await json(revoke)
    expect(await statusOf(revoked.transaction)).toBe('0x1')
    expect((await registries.tir.read(issuer.did, attributeId)).body).toMatchObject({
      attribute: { issuerType: 'REVOKED', tao: tao.did, attributeIdTao: taoId },
    })
    const again = await trust(revoke)
    expect(again).toMatchObject({ exitCode: 1, stdout: '' })
    // Nothing is sent for what would revert.
    expect(again.stderr).not.toContain('To be signed')
    const shown = await trust(['show', issuer.did, attributeId, ...reading, '--root-did', root.did])
    expect(shown.exitCode).toBe(1)
    expect(shown.stdout).toContain('✗ trust.not-revoked')
    expect(shown.stdout).toContain(
      '      Fix: Publish a new accreditation under a new attributeId.',
    )
  })

  it('warns that an accredited DID is not registered', async () => {
    const { trust, key, publishing } = inFolder()
    const publish = async (did: string) => {
      const { exitCode, stderr } = await trust([
        'publish',
        did,
        ...publishing,
        ...key(tao),
        ...underTao(),
      ])
      return [exitCode, stderr.includes(`! ${did} is not in the DID registry.`)]
    }
    const unknown = createDidKey('an unknown issuer').did
    expect([await publish(unknown), await publish(issuer.did)]).toEqual([
      [0, true],
      [0, false],
    ])
  })

  // @row 2.endpoints/tir.14
  it('reports the error of a reverted publication, and stops', async () => {
    const { trust, key, publishing } = inFolder()
    const attributeId = attributeIdOf('e')
    const args = ['publish', issuer.did, '--attribute-id', attributeId, ...publishing]
    // The issuer cannot accredit itself in the name of the TAO: not by its signature, …
    const forged = await trust([...args, ...key(issuer), ...underTao()])
    expect(forged).toMatchObject({ exitCode: 1, stdout: '' })
    expect(forged.stderr).toContain('assertionMethod')
    // … and not by its transaction.
    const sender = key(issuer, '--sender-key-file')
    const { exitCode, stdout, stderr } = await trust([
      ...args,
      ...key(tao),
      ...sender,
      ...underTao(),
    ])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('TrustedIssuersRegistryNotAuthorized')
    expect((await registries.tir.read(issuer.did, attributeId)).status).toBe(404)
  })

  it('rejects a wrong API key and contradictory options', async () => {
    const { trust, key, writing } = inFolder()
    const [tir = '', url = ''] = writing
    const { chain } = registries.addresses
    const publish = ['publish', issuer.did, ...key(tao), ...underTao()]
    const wrongKey = await trust([
      ...publish,
      ...[tir, url, '--api-key', 'wrong'],
      ...chain,
      ...['--v-method-id', vMethodIdOf(tao)],
    ])
    expect(wrongKey).toMatchObject({ exitCode: 1, stdout: '' })
    expect(wrongKey.stderr).toContain('-32600')
    const wrong = await Promise.all(
      [
        ['publish', issuer.did, ...writing, ...underTao()],
        ['publish', issuer.did, ...writing, ...key(tao)],
        ['publish', 'did:web:example.org', ...writing, ...key(tao), ...underTao()],
        [...publish, ...writing, '--type', 'REVOKED'],
        [...publish, ...writing, '--attribute-id', 'abc'],
        // No chain to read the receipts from.
        [...publish, ...registries.addresses.tir, '--v-method-id', vMethodIdOf(tao)],
        ['revoke', issuer.did, 'abc', ...writing, ...key(tao)],
        ['show', issuer.did, ...writing.slice(0, 2), '--did-registry', 'http://127.0.0.1:1'],
      ].map((args) => trust(args)),
    )
    wrong.forEach((outcome, index) => {
      expect(outcome, `case ${index}`).toMatchObject({ exitCode: 2, stdout: '' })
    })
    expect(wrong[5]?.stderr).toContain('address of the chain node with --chain-rpc')
  })
})

describe('testbed trust with a running testbed', () => {
  it('uses its registries, keys and root', async () => {
    const { cwd, trust, json } = inFolder()
    expect(await trust(['show'])).toMatchObject({ exitCode: 3, stdout: '' })
    const memberOf = (key: DidKey, attributeId: string) => ({
      did: key.did,
      attributeId,
      privateKey: key.wallet.privateKey,
      vMethodId: vMethodIdOf(key),
    })
    const issuerId = attributeIdOf('f')
    registries.writeTestbedFile(cwd, {
      rootTao: memberOf(root, rootId),
      tao: memberOf(tao, taoId),
      issuer: memberOf(issuer, issuerId),
    })
    await json(['publish', issuer.did, '--attribute-id', issuerId])
    expect((await json(['show'])).steps[0]).toMatchObject({ did: issuer.did, tao: tao.did })
    const unconfirmed = await trust(['revoke', issuer.did, issuerId])
    expect(unconfirmed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(unconfirmed.stderr).toContain('--yes')
    expect(unconfirmed.stderr).toContain('testbed reset')
    expect((await trust(['show'])).exitCode).toBe(0)
    await json(['revoke', issuer.did, issuerId, '--yes'])
    expect((await trust(['show'])).exitCode).toBe(1)
  })
})

/** The claims of a JWT whose signature OpenSSL accepts with that key. */
function claimsOf(jwt: string, { coordinates }: DidKey): unknown {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const part = (from: number) =>
    Buffer.from(coordinates.slice(from, from + 64), 'hex').toString('base64url')
  const jwk = { kty: 'EC', crv: 'secp256k1', x: part(2), y: part(66) }
  const isValid = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isValid).toBe(true)
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
}
