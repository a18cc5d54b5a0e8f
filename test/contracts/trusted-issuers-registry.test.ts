import { hexlify, id, toUtf8Bytes, ZeroHash } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { createContractRegistries, issuerType } from '#test/support/contracts.ts'
import { createDidKey, type DidKey } from '#test/support/create-did-key.ts'

const { none, rootTao, tao, ti, revoked } = issuerType
const jwt = hexlify(toUtf8Bytes('header.payload.signature'))

interface Parent {
  readonly key: DidKey
  readonly attributeId: string
}

const r = await createContractRegistries()
let root: Parent
let middle: Parent

const write = (signer: DidKey, method: string, ...args: unknown[]) =>
  r.chain.send(signer.wallet, r.tir, method, ...args)

/** setAttributeMetadata in the words of the document. */
const publish = (
  signer: DidKey,
  did: string,
  attributeId: string,
  type: number,
  parent: { did: string; attributeId: string },
) => write(signer, 'setAttributeMetadata', did, attributeId, type, parent.did, parent.attributeId)

const parentOf = ({ key, attributeId }: Parent) => ({ did: key.did, attributeId })

const read = (did: string, attributeId: string) =>
  r.chain.read(r.tir, 'getAttribute', did, attributeId)

/** Registers a DID and accredits it below `parent`. */
async function accredit(label: string, type: number, parent: Parent): Promise<Parent> {
  const key = await r.register(label)
  const attributeId = id(label)
  const { reverted } = await publish(parent.key, key.did, attributeId, type, parentOf(parent))
  if (reverted) throw new Error(reverted.name)
  return { key, attributeId }
}

beforeAll(async () => {
  const key = await r.register('root')
  root = { key, attributeId: id('root') }
  await publish(r.operator, key.did, root.attributeId, rootTao, parentOf(root))
  middle = await accredit('middle', tao, root)
})

describe('deployment', () => {
  it("has the DID registry's operator", async () => {
    expect(await r.chain.read(r.tir, 'operator')).toBe(r.operator.address)
    expect(await r.chain.read(r.tir, 'didRegistry')).toBe(r.registry.address)
  })
})

describe('publishing', () => {
  // @row 2.resources-and-their-fields/tir-attribute.4..6
  it('works from the root down', async () => {
    const { key } = middle
    const did = createDidKey('leaf').did
    const { events } = await publish(key, did, id('leaf'), ti, parentOf(middle))
    expect(events).toEqual([
      {
        name: 'AttributeMetadataSet',
        args: [id(did), id('leaf'), did, ti, key.did, middle.attributeId],
      },
    ])
    expect(await read(did, id('leaf'))).toEqual([
      ti,
      key.did,
      middle.attributeId,
      root.key.did,
      0,
      '0x',
    ])
    expect(await read(root.key.did, root.attributeId)).toEqual([
      rootTao,
      root.key.did,
      root.attributeId,
      root.key.did,
      0,
      '0x',
    ])
  })

  it('returns empty values for an unknown attribute', async () => {
    expect(await read('did:x', ZeroHash)).toEqual([none, '', ZeroHash, '', 0, '0x'])
  })

  it('lets the root accredit a trusted issuer itself', async () => {
    await accredit('direct', ti, root)
  })

  it('lets the operator accredit below any accredited parent', async () => {
    const { reverted } = await publish(r.operator, 'did:o', id('o'), ti, parentOf(middle))
    expect(reverted).toBeUndefined()
  })

  it('repeated with the same values changes and emits nothing', async () => {
    const leaf = await accredit('repeated', ti, middle)
    const before = await read(leaf.key.did, leaf.attributeId)
    const { key, attributeId } = leaf
    const again = await publish(middle.key, key.did, attributeId, ti, parentOf(middle))
    expect(again).toMatchObject({ reverted: undefined, events: [] })
    expect(await read(key.did, attributeId)).toEqual(before)
  })

  // @row 2.resources-and-their-fields/types-used-in-the-tir.4
  it('rejects NONE, also from the operator', async () => {
    const { reverted } = await publish(r.operator, 'did:n', id('n'), none, parentOf(root))
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryInvalidIssuerType', args: [none] })
  })

  // @row 2.resources-and-their-fields/types-used-in-the-tir.4
  it('rejects a ROOT_TAO from any signer except the operator, a root included', async () => {
    const { reverted } = await publish(root.key, 'did:r', id('r'), rootTao, parentOf(root))
    const args = [root.key.address]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryNotOperator', args })
  })

  it.each([
    ['stranger', () => r.stranger],
    ['controller of the subject', () => createDidKey('self-made')],
    ['other TAO', () => root.key],
  ])('rejects a %s, who does not control taoDid', async (_name, signer) => {
    const { did } = createDidKey('self-made')
    const { reverted } = await publish(signer(), did, id('self-made'), ti, parentOf(middle))
    const args = [did, id('self-made'), signer().address]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryNotAuthorized', args })
  })

  it('rejects a parent that is a trusted issuer only', async () => {
    const leaf = await accredit('mere issuer', ti, middle)
    const { reverted } = await publish(leaf.key, 'did:c', id('c'), ti, parentOf(leaf))
    const args = [leaf.key.did, leaf.attributeId]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryNotAccredited', args })
  })

  it.each([
    ['unknown', () => ({ did: middle.key.did, attributeId: id('unknown') })],
    ["another DID's", () => ({ did: middle.key.did, attributeId: root.attributeId })],
  ])('rejects a parent attribute that is %s', async (_name, parent) => {
    const { reverted } = await publish(middle.key, 'did:u', id('u'), ti, parent())
    const args = [parent().did, parent().attributeId]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryNotAccredited', args })
    const byOperator = await publish(r.operator, 'did:u', id('u'), ti, parent())
    expect(byOperator.reverted).toEqual({ name: 'TrustedIssuersRegistryNotAccredited', args })
  })

  it('rejects a parent that is revoked', async () => {
    const parent = await accredit('revoked parent', tao, root)
    await publish(root.key, parent.key.did, parent.attributeId, revoked, parentOf(root))
    const { reverted } = await publish(parent.key, 'did:rp', id('rp'), ti, parentOf(parent))
    const args = [parent.key.did, parent.attributeId]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryNotAccredited', args })
  })

  it('never changes taoDid, attributeIdTao or issuerType', async () => {
    const leaf = await accredit('immutable', ti, middle)
    const second = id('second accreditation of middle')
    await publish(root.key, middle.key.did, second, tao, parentOf(root))
    // A TAO whose own attribute has the identifier of the one that published.
    const twin = await r.register('twin')
    await publish(root.key, twin.did, middle.attributeId, tao, parentOf(root))
    const changes: [DidKey, number, { did: string; attributeId: string }][] = [
      [twin, ti, { did: twin.did, attributeId: middle.attributeId }],
      [middle.key, tao, parentOf(middle)],
      [root.key, ti, parentOf(root)],
      [middle.key, ti, { did: middle.key.did, attributeId: second }],
      [r.operator, rootTao, parentOf(middle)],
    ]
    const before = await read(leaf.key.did, leaf.attributeId)
    for (const [signer, type, parent] of changes) {
      const { reverted } = await publish(signer, leaf.key.did, leaf.attributeId, type, parent)
      const args = [leaf.key.did, leaf.attributeId]
      expect(reverted).toEqual({ name: 'TrustedIssuersRegistryAttributeIsImmutable', args })
    }
    expect(await read(leaf.key.did, leaf.attributeId)).toEqual(before)
  })

  it('separates the attributes of one DID, and equal identifiers of two DIDs', async () => {
    const a = await accredit('apart', ti, middle)
    await publish(root.key, a.key.did, id('other attribute'), tao, parentOf(root))
    await publish(root.key, 'did:same', a.attributeId, tao, parentOf(root))
    expect(await read(a.key.did, a.attributeId)).toMatchObject({ 0: ti, 1: middle.key.did })
    expect(await read(a.key.did, id('other attribute'))).toMatchObject({ 0: tao })
    expect(await read('did:same', a.attributeId)).toMatchObject({ 0: tao, 1: root.key.did })
  })

  it.each([
    ['subject', '', 'did:t'],
    ['accrediting DID', 'did:s', ''],
  ])('rejects an empty %s', async (_name, did, taoDid) => {
    const parent = { did: taoDid, attributeId: id('x') }
    const { reverted } = await publish(r.operator, did, id('e'), rootTao, parent)
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryEmptyDid', args: [] })
  })
})

describe('revoking', () => {
  // @row 2.states-and-transitions.7
  it('is allowed to the accrediting TAO and keeps the rest', async () => {
    const leaf = await accredit('revoked leaf', ti, middle)
    const { did } = leaf.key
    await write(leaf.key, 'setAttributeData', did, leaf.attributeId, jwt)
    const anyParent = { did: middle.key.did, attributeId: ZeroHash }
    const { events } = await publish(middle.key, did, leaf.attributeId, revoked, anyParent)
    expect(events).toEqual([
      {
        name: 'AttributeMetadataSet',
        args: [id(did), leaf.attributeId, did, revoked, middle.key.did, middle.attributeId],
      },
    ])
    expect(await read(did, leaf.attributeId)).toEqual([
      revoked,
      middle.key.did,
      middle.attributeId,
      root.key.did,
      1,
      jwt,
    ])
  })

  it('is final, even for the operator', async () => {
    const leaf = await accredit('final', ti, middle)
    const { did } = leaf.key
    await publish(middle.key, did, leaf.attributeId, revoked, parentOf(middle))
    const name = 'TrustedIssuersRegistryAttributeIsRevoked'
    const args = [did, leaf.attributeId]
    for (const type of [rootTao, tao, ti, revoked]) {
      const { reverted } = await publish(r.operator, did, leaf.attributeId, type, parentOf(middle))
      expect(reverted).toEqual({ name, args })
    }
    for (const signer of [leaf.key, middle.key, r.operator]) {
      const data = await write(signer, 'setAttributeData', did, leaf.attributeId, jwt)
      expect(data.reverted).toEqual({ name, args })
    }
  })

  it('is allowed to the operator, even if the accrediting TAO is revoked', async () => {
    const parent = await accredit('fallen', tao, root)
    const leaf = await accredit('orphan', ti, parent)
    await publish(root.key, parent.key.did, parent.attributeId, revoked, parentOf(root))
    const byTao = await publish(
      parent.key,
      leaf.key.did,
      leaf.attributeId,
      revoked,
      parentOf(parent),
    )
    const args = [parent.key.did, parent.attributeId]
    expect(byTao.reverted).toEqual({ name: 'TrustedIssuersRegistryNotAccredited', args })
    const byOperator = await publish(
      r.operator,
      leaf.key.did,
      leaf.attributeId,
      revoked,
      parentOf(parent),
    )
    expect(byOperator.reverted).toBeUndefined()
  })

  it('does not cascade', async () => {
    const parent = await accredit('cascade parent', tao, root)
    const leaf = await accredit('cascade leaf', ti, parent)
    await publish(root.key, parent.key.did, parent.attributeId, revoked, parentOf(root))
    expect(await read(leaf.key.did, leaf.attributeId)).toMatchObject({ 0: ti })
  })

  // @row 2.states-and-transitions.7
  it('requires the taoDid of the publication, even from the operator', async () => {
    const leaf = await accredit('other tao', ti, middle)
    for (const signer of [root.key, r.operator]) {
      const { reverted } = await publish(
        signer,
        leaf.key.did,
        leaf.attributeId,
        revoked,
        parentOf(root),
      )
      const args = [leaf.key.did, leaf.attributeId]
      expect(reverted).toEqual({ name: 'TrustedIssuersRegistryAttributeIsImmutable', args })
    }
  })

  it('rejects the subject and the TAO above', async () => {
    const leaf = await accredit('self revoker', ti, middle)
    for (const signer of [leaf.key, root.key]) {
      const { reverted } = await publish(
        signer,
        leaf.key.did,
        leaf.attributeId,
        revoked,
        parentOf(middle),
      )
      const args = [leaf.key.did, leaf.attributeId, signer.address]
      expect(reverted).toEqual({ name: 'TrustedIssuersRegistryNotAuthorized', args })
    }
  })

  it('requires an existing attribute', async () => {
    const { reverted } = await publish(r.operator, 'did:g', id('g'), revoked, parentOf(root))
    const args = ['did:g', id('g')]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryAttributeNotPublished', args })
  })
})

describe('setAttributeData', () => {
  it('keeps every revision and returns the latest', async () => {
    const leaf = await accredit('revisions', ti, middle)
    const { did } = leaf.key
    const bodies = ['0x01', '0x02', '0x03']
    const signers = [leaf.key, middle.key, r.operator]
    for (const [index, body] of bodies.entries()) {
      const signer = signers[index] ?? leaf.key
      const { events } = await write(signer, 'setAttributeData', did, leaf.attributeId, body)
      expect(events).toEqual([
        {
          name: 'AttributeDataSet',
          args: [id(did), leaf.attributeId, did, index, body],
        },
      ])
    }
    expect(await read(did, leaf.attributeId)).toMatchObject({ 4: 3, 5: '0x03' })
    const revisions = []
    for (const index of bodies.keys()) {
      revisions.push(
        await r.chain.read(r.tir, 'getAttributeRevision', did, leaf.attributeId, index),
      )
    }
    expect(revisions).toEqual(bodies)
    const beyond = r.chain.read(r.tir, 'getAttributeRevision', did, leaf.attributeId, 3)
    const args = [did, leaf.attributeId, 3].join(', ')
    await expect(beyond).rejects.toThrow(`TrustedIssuersRegistryRevisionNotFound(${args})`)
  })

  // @row 2.endpoints/tir.13
  it('requires the metadata first', async () => {
    const { reverted } = await write(r.operator, 'setAttributeData', 'did:d', id('d'), jwt)
    const args = ['did:d', id('d')]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryAttributeNotPublished', args })
  })

  it('rejects empty data', async () => {
    const leaf = await accredit('empty data', ti, middle)
    const args = [leaf.key.did, leaf.attributeId]
    const { reverted } = await write(leaf.key, 'setAttributeData', ...args, '0x')
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryEmptyData', args })
  })

  it.each([
    ['stranger', () => r.stranger],
    ['TAO above', () => root.key],
    ['onboarding node', () => r.node],
  ])('rejects a %s', async (name, signer) => {
    const leaf = await accredit(`data ${name}`, ti, middle)
    const { did } = leaf.key
    const { reverted } = await write(signer(), 'setAttributeData', did, leaf.attributeId, jwt)
    const args = [did, leaf.attributeId, signer().address]
    expect(reverted).toEqual({ name: 'TrustedIssuersRegistryNotAuthorized', args })
  })

  it('rejects a revoked accrediting TAO, but accepts the subject', async () => {
    const parent = await accredit('silenced', tao, root)
    const leaf = await accredit('still speaking', ti, parent)
    await publish(root.key, parent.key.did, parent.attributeId, revoked, parentOf(root))
    const args = [leaf.key.did, leaf.attributeId]
    const byTao = await write(parent.key, 'setAttributeData', ...args, jwt)
    expect(byTao.reverted).toEqual({
      name: 'TrustedIssuersRegistryNotAuthorized',
      args: [...args, parent.key.address],
    })
    expect((await write(leaf.key, 'setAttributeData', ...args, jwt)).reverted).toBeUndefined()
  })

  it('uses the current controllers of the subject in the DID registry', async () => {
    const leaf = await accredit('controlled', ti, middle)
    const friend = await r.register('controlling friend')
    await r.done(leaf.key, 'addController', leaf.key.did, friend.did)
    const args = [leaf.key.did, leaf.attributeId, jwt]
    expect((await write(friend, 'setAttributeData', ...args)).reverted).toBeUndefined()
    await r.done(leaf.key, 'revokeController', leaf.key.did, friend.did)
    expect((await write(friend, 'setAttributeData', ...args)).reverted).toEqual({
      name: 'TrustedIssuersRegistryNotAuthorized',
      args: [leaf.key.did, leaf.attributeId, friend.address],
    })
  })
})
