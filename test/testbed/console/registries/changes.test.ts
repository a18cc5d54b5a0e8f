import { describe, expect, it } from 'vitest'
import { createDid } from '#core/did/did-proof.ts'
import { expectAccessible } from '#test/support/accessibility.ts'
import { callJson } from '#test/support/http.ts'
import { openBrowser, shareSession } from '#test/support/open-console.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'

const shared = shareTestbed()
const { call, open } = shareSession(shared)

const write = (what: string, json: object, headers: Record<string, string> = {}) =>
  call('POST', `/console/registries/pre/${what}`, json, headers)
const register = async (members: object = {}) => {
  const json = { name: 'Dune Shipping', also_known_as: 'VATES-D11111111', ...members }
  const answer = await write('dids', json)
  expect(answer.status).toBe(201)
  return answer.body as { did: string; privateKey: string; transactions: { method: string }[] }
}
const resolve = async (did: string) => {
  const url = `${shared.pre.didRegistryBaseUrl}/api/v1/identifiers/${encodeURIComponent(did)}`
  return (await callJson(url)).body
}
const accredit = (members: object) =>
  write('accreditations', {
    accreditor: shared.pre.trustChain.tao.did,
    issuer_type: 'TI',
    types: 'OrgPortalLearCredential',
    ...members,
  })

describe('a DID registered on the console', () => {
  it('is in the registry with the key that was shown, and has its name on the pages', async () => {
    const { did, privateKey, transactions } = await register()
    expect(transactions.map(({ method }) => method)).toEqual([
      'insertFirstDidDocument',
      'addVerificationRelationship',
    ])
    expect(createDid(privateKey, 'pre').did).toBe(did)
    const { vMethodId } = createDid(privateKey, 'pre')
    expect(await resolve(did)).toMatchObject({
      alsoKnownAs: ['VATES-D11111111'],
      assertionMethod: [`${did}#${vMethodId}`],
    })
    const { text } = await open(`/registries/pre/identifiers/${encodeURIComponent(did)}`)
    expect(text).toContain('Dune Shipping</h1>')
    expect(text).not.toContain(privateKey)
  })

  it('can have the secp256k1 key of a wallet, which is not shown', async () => {
    const { body: wallet } = await call('POST', '/console/wallets', {
      env: 'pre',
      name: 'key holder',
    })
    const first = await register({ wallet_id: wallet.id })
    expect(first.privateKey).toBeUndefined()
    const again = await write('dids', { name: 'x', also_known_as: 'y', wallet_id: wallet.id })
    expect([again.status, again.body.error]).toEqual([409, 'already_registered'])
  })

  it('has its key rolled: the new key is valid, and the old one too for a day', async () => {
    const { did, privateKey } = await register()
    const rolled = await write('keys', { did, operation: 'roll' })
    expect(rolled.status).toBe(201)
    const ids = [privateKey, rolled.body.privateKey].map(
      (key) => `${did}#${createDid(key, 'pre').vMethodId}`,
    )
    expect((await resolve(did)).assertionMethod).toEqual(ids)
    // The next change is signed by the new key.
    const revoked = await write('keys', {
      did,
      operation: 'revoke',
      v_method_id: createDid(privateKey, 'pre').vMethodId,
    })
    expect(revoked.body.transactions[0].method).toBe('revokeVerificationMethod')
    const { hash } = revoked.body.transactions[0]
    const { receipt } = (await shared.control(`/pre/transactions/${hash}`)).body
    const { address } = createDid(rolled.body.privateKey, 'pre')
    expect(receipt.from.toLowerCase()).toBe(address.toLowerCase())
  })

  it('is accredited and revoked, which the tree shows', async () => {
    const { did } = await register({ name: 'Esparto Cars' })
    const accredited = await accredit({ did })
    expect(accredited.status).toBe(201)
    const attribute = accredited.body.attributeId
    const stateIn = ({ text }: { text: string }) => {
      const row = text.split('<tr').find((each) => each.includes(attribute))
      return /badge (\w+)/.exec(row ?? '')?.[1]
    }
    const before = await open('/registries/pre')
    expect(before.text).toContain('Esparto Cars')
    expect(stateIn(before)).toBe('good')
    const revocation = { did, attribute_id: attribute }
    expect((await write('revocations', revocation)).status).toBe(201)
    expect(stateIn(await open('/registries/pre'))).toBe('bad')
    const again = await write('revocations', revocation)
    expect([again.status, again.body.error]).toEqual([409, 'already_revoked'])
  })

  it('cannot accredit without its own accreditation: the contract names the reason', async () => {
    const { did } = await register()
    const { status, body } = await accredit({
      did: shared.pre.trustChain.issuer.did,
      accreditor: did,
    })
    expect([status, body.error, body.error_description]).toEqual([
      409,
      'transaction_reverted',
      expect.stringContaining('TrustedIssuersRegistryNotAccredited'),
    ])
    const { text } = await open(`/registries/pre/transactions/${body.hash}`)
    expect(text).toContain('TrustedIssuersRegistryNotAccredited')
  })
})

describe('the tree of accreditations', () => {
  it('shows what has expired, and that the chain below a revoked accreditation is broken', async () => {
    const tao = await register({ name: 'Fair Trade' })
    const { tao: seeded, rootTao } = shared.pre.trustChain
    const members = { accreditor: rootTao.did, issuer_type: 'TAO', did: tao.did }
    const { attributeId } = (await accredit(members)).body
    const below = await accredit({ did: seeded.did, accreditor: tao.did })
    const brief = await accredit({ did: seeded.did, days: 1 })
    await write('revocations', { did: tao.did, attribute_id: attributeId })
    await shared.control('/clock', { json: { advance_seconds: 2 * 86_400 } })
    const { text } = await open('/registries/pre')
    await shared.control('/clock', { method: 'DELETE' })
    const stateOf = (attribute: string) => {
      const row = text.split('<tr').find((each) => each.includes(attribute))
      return /badge \w+">([^<]+)</.exec(row ?? '')?.[1]
    }
    expect([
      stateOf(seeded.attributeId),
      stateOf(attributeId),
      stateOf(below.body.attributeId),
      stateOf(brief.body.attributeId),
    ]).toEqual(['Active', 'Revoked', 'Chain broken', 'Expired'])
  })
})

describe('a change of the registries', () => {
  it.each([
    ['an empty name', 'dids', { name: '', also_known_as: 'x' }, 400],
    ['no credential type', 'accreditations', { types: ' , ' }, 400],
    ['a DID of another registry', 'accreditations', { did: 'did:org:uc:z1abc' }, 400],
    ['a DID whose key the console does not have', 'keys', { operation: 'expire' }, 409],
    ['an unknown accreditation', 'revocations', { attribute_id: 'ab'.repeat(32) }, 404],
  ])('is rejected with %s', async (_, what, members, status) => {
    const { did } = shared.pre.trustChain.issuer
    const accreditor = shared.pre.trustChain.tao.did
    const usual = {
      dids: {},
      accreditations: { did, accreditor, issuer_type: 'TI', types: 'A' },
      keys: { did },
      revocations: { did },
    }[what]
    expect((await write(what, { ...usual, ...members })).status).toBe(status)
  })

  it('needs the session of the console and its origin', async () => {
    const json = { name: 'x', also_known_as: 'y' }
    expect((await write('dids', json, { cookie: '' })).status).toBe(401)
    expect((await write('dids', json, { origin: 'http://other.example' })).status).toBe(403)
  })

  it('is made by a form, which escapes names and shows the private key once', async () => {
    const page = await (await openBrowser()).newPage()
    await page.goto(shared.testbed.createConsoleLink('/registries/pre/changes'))
    await page.type('#name', '<b>Fonda</b> Hotels')
    await page.click('[data-write="dids"] .button')
    const key = await page.waitForSelector('.private-key')
    expect(await key?.evaluate((element) => element.textContent)).toMatch(/^0x[0-9a-f]{64}$/)
    await expectAccessible(page)
    await page.reload()
    expect(await page.$('.private-key')).toBeNull()
    const option = await page.$eval('#accreditor', (element) => element.textContent)
    expect(option).toContain('<b>Fonda</b> Hotels')
  })
})
