import { parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import { bitAt, decodeBitstring } from '#core/status-list/bitstring.ts'
import {
  parseStatusEntry,
  statusListForms,
  zStatusListCredential,
} from '#core/status-list/status-list-credential.ts'
import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  problemsIn,
  requireAnswer,
} from '../../../kit/classify-answer.ts'
import { allHeld, requireEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import {
  credentialIdOf,
  evaluateCredential,
  type ObtainedCredential,
  obtainCredential,
} from '../credentials.ts'
import { requestOwnOffer, signIn } from '../portal-steps.ts'
import { reachAnswer } from '../redeeming.ts'

const credentials = 6
const simultaneous = 4
const verdictSource = 'the status list of the credential'
const isAboutStatus = (rule: string) => rule === 'credential.status'
const clauses = ['Bitstring Status List 1.0, 3.2']

export const checks = defineChecks<IssuerContext>({
  'I127-status-list': {
    title: 'The status list of a new credential is valid, and does not revoke it',
    level: 'final',
    expectation: 'accept',
    clauses,
    description:
      'Verifiers reject a credential whose status they cannot verify: the holder notices at the first login.',
    sends: 'Accepts an offer as documented, then GET of statusListCredential.',
    decides:
      'credentialStatus has type, statusPurpose, statusListCredential, and statusListIndex as a string. The list is signed by the issuer, is the one that the credential names, has its purpose, its types, a @context and enough entries, has not expired, and the entry is not set. Without credentialStatus, or with several entries, the check is inconclusive: the profile does not have it.',
    fix: "Serve the status list at statusListCredential as a JWT of the issuer, signed with a key in its assertionMethod, with a current period, and with the entry's statusPurpose. Set no bit for a new credential.",
    needs: ['trust'],
    async run(context) {
      const credential = await obtainCredential(context)
      const { type, statusListCredential } = entryOf(credential)
      const finding = await evaluateCredential(context, credential, isAboutStatus)
      if (finding.kind !== 'held') return finding
      const http = context.httpAs('verifier')
      const list = requireAnswer(await http.request(statusListCredential), 'The status list')
      return findListProblem(list.text, type) ?? finding
    },
  },
  'I128-revocation-in-list': {
    title: 'A revocation sets exactly one entry of the status list',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.states-and-transitions.3'],
    clauses,
    description:
      'If the entry is not set, the revoked person can still log in. If another entry is set, another person is locked out.',
    sends: `A representative gets credentials. The portal revokes one of them, and the kit reads its status list before and after that, afterwards also with the earlier ETag as If-None-Match. Then the portal revokes ${simultaneous} others at the same time. If the clock can be moved, the kit reads the lists again a day later.`,
    decides:
      'Afterwards the entry of the revoked credential is set, and all other entries are unchanged. A credential that was not revoked is still valid, and the response to the earlier ETag is not 304. The entries of all credentials that were revoked at the same time are set, also a day later. A credential without credentialStatus that the issuer revokes fails as well.',
    fix: 'Set the bit statusListIndex of each revoked credential, and no other, as soon as the revocation succeeds. Create the list from the records, or change it in one atomic step. Count bits from the most significant bit of each byte, and sign the list again, with a new ETag.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const obtain = async () =>
        obtainCredential(context, {
          made: await asPremise('requesting a credential (see I62)', requestOwnOffer(signedIn)),
        })
      const [revoked, kept] = [await obtain(), await obtain()]
      const { portal, headers } = signedIn
      const revoke = (credential: ObtainedCredential) => {
        const json = { credential_id: credentialIdOf(credential) }
        return reachAnswer('the revocation', portal.post('credential/revoke', json, headers))
      }
      if (revoked.vc.credentialStatus === undefined) {
        await revoke(revoked)
        const details = { expected: 'credentialStatus', verdictSource: 'the revoked credential' }
        return broken('Nothing in a credential shows a verifier that it is revoked.', details)
      }
      const { statusListCredential: address, statusListIndex: index } = entryOf(revoked)
      const { bits: before, tag } = await readList(context, revoked)
      await revoke(revoked)
      const { bits: after, text } = await readList(context, revoked)
      const problem = findListProblem(text, entryOf(revoked).type)
      if (problem) return problem
      if (bitAt(before, index) !== false) {
        return inconclusive(`The entry ${index} was set or missing before: see I127.`)
      }
      const changed = indexesThatDiffer(before, after)
      if (!changed.includes(index)) {
        const observed = `The entry ${index} of ${address} is not set after the revocation.`
        return broken(observed, { expected: index, actual: changed, verdictSource })
      }
      if (changed.length > 1) {
        return broken('The revocation changed more than one entry.', {
          expected: [index],
          actual: changed.slice(0, 20),
          verdictSource,
        })
      }
      if (tag !== null) {
        const headers = { 'if-none-match': tag }
        const { status } = await context.httpAs('verifier').request(address, { headers })
        if (status === 304) {
          return broken('After the revocation the status list still has the earlier ETag.', {
            expected: 200,
            actual: status,
            verdictSource: 'the response at statusListCredential',
          })
        }
      }
      const only = held(`Only the entry ${index} changed.`, { verdictSource })
      const other = context.can('trust')
        ? await evaluateCredential(context, kept, isAboutStatus)
        : only
      if (other.kind !== 'held') return other
      const all = [revoked]
      for (let count = 0; count < simultaneous; count++) all.push(await obtain())
      await Promise.all(all.slice(1).map(revoke))
      for (const seconds of context.can('clock') ? [0, 86_400] : [0]) {
        if (seconds > 0) await context.advanceClock(seconds)
        for (const each of all) {
          const entry = entryOf(each)
          if (bitAt((await readList(context, each)).bits, entry.statusListIndex)) continue
          const observed = `The entry ${entry.statusListIndex} of a revoked credential is not set, ${seconds} seconds after ${simultaneous} simultaneous revocations.`
          return broken(observed, { expected: 'set', actual: 'not set', verdictSource })
        }
      }
      return allHeld([only, other])
    },
  },
  'I129-status-entries': {
    title: 'Each credential has a separate entry in the status list, at a random index',
    level: 'practice',
    expectation: 'advice',
    clauses,
    description:
      'With the same entry, one revocation revokes two credentials. With consecutive entries, a verifier sees in which order credentials were issued.',
    sends: `Accepts ${credentials} offers as documented.`,
    decides:
      'All entries differ, and their indexes do not increase by one each time. An id of an entry is a URL, but not that of the list.',
    fix: 'Draw statusListIndex of each new credential at random among the free entries, and make it unique, for example by an index of the database.',
    async run(context) {
      const entries: { readonly list: string; readonly index: number }[] = []
      for (let sample = 0; sample < credentials; sample++) {
        const entry = entryOf(await obtainCredential(context))
        const { id, statusListCredential: list, statusListIndex: index } = entry
        if (id !== undefined && (!URL.canParse(String(id)) || id === list)) {
          const verdictSource = 'credentialStatus.id'
          const details = { expected: 'the URL of the entry', actual: id, verdictSource }
          return broken('The id of the entry is not a URL, or is that of the list.', details)
        }
        entries.push({ list, index })
      }
      const details = { actual: entries, verdictSource: 'credentialStatus of the credentials' }
      if (new Set(entries.map(({ list, index }) => `${list}#${index}`)).size < credentials) {
        return broken('Two credentials have the same entry.', details)
      }
      const isConsecutive = entries.every(
        ({ index }, number) => number === 0 || index - (entries[number - 1]?.index ?? 0) === 1,
      )
      return isConsecutive
        ? broken('The entries are consecutive.', details)
        : held(`${credentials} entries differ, in no order.`, details)
    },
  },
  'I153-status-list-over-http': {
    title: 'The status list can be cached, but not longer than it says',
    level: 'practice',
    expectation: 'advice',
    clauses,
    description:
      'Verifiers load the list at each login. If they use an old one, a revoked person can still log in.',
    sends:
      'GET of the status list of a new credential, with its ETag as If-None-Match and with other tags, and GET of addresses that end in another number.',
    decides:
      'The content type is that of a JWT. max-age is not longer than the ttl of the list. With the current ETag the response is 304 or 200, with another one 200, and none fails. At other addresses there is no list with another id.',
    fix: 'Serve the list as application/vc+jwt with a max-age of at most its ttl, and compare the complete ETag. Return 404 if there is no list at an address.',
    async run(context) {
      const credential = await obtainCredential(context)
      const { statusListCredential: address } = entryOf(credential)
      const http = context.httpAs('verifier')
      const read = async (headers: Readonly<Record<string, string>> = {}) =>
        requireAnswer(await http.request(address, { headers }), 'The status list', [200, 304])
      const list = await read()
      const source = 'the response at statusListCredential'
      if (!/^application\/(vc\+)?jwt\b/i.test(list.contentType)) {
        const details = { expected: 'application/vc+jwt', actual: list.contentType }
        return broken('The status list is not declared as a JWT.', {
          ...details,
          verdictSource: source,
        })
      }
      const age = /\bmax-age=(\d+)/i.exec(list.headers.get('cache-control') ?? '')?.[1]
      const ttl = ttlOf(list.text)
      if (age !== undefined && ttl !== undefined && Number(age) * 1000 > ttl) {
        const details = { expected: `at most ${ttl} ms`, actual: `${age} s`, verdictSource: source }
        return broken('The list may be cached for longer than its ttl.', details)
      }
      const tag = list.headers.get('etag')
      if (tag !== null) {
        const wrong = [`"${tag.replaceAll('"', '').slice(0, -1)}"`, '"another"', '""', '']
        await requireEach(wrong, async (each) => {
          const { status } = await read({ 'if-none-match': each })
          if (status === 200) return
          const details = { expected: 200, actual: status, verdictSource: source }
          return broken(`With If-None-Match: ${each} the response has no list.`, details)
        })
        const current = { 'if-none-match': `"another", W/${tag.replace(/^W\//, '')}` }
        const { status } = await http.request(address, { headers: current })
        if (status === 500) {
          const details = { expected: 304, actual: status, verdictSource: source }
          return broken('With the current ETag in If-None-Match the request fails.', details)
        }
        const same = await read(current)
        const isTagKept = (await read()).headers.get('etag') === tag
        if (same.status === 200 && isTagKept && same.headers.get('etag') === tag) {
          const details = { expected: 304, actual: 200, verdictSource: source }
          return broken('With the current ETag in If-None-Match the list is sent again.', details)
        }
      }
      await requireEach(otherNumbers(address), async (other) => {
        const { status, text } = await http.request(other)
        if (classifyStatus(status) === 'refused') return
        const named = listOf(text)?.vc.id
        if (status === 200 && named === other) return
        const details = { expected: 404, actual: { status, id: named }, verdictSource: source }
        return broken(`At ${other} there is no rejection and no list with this id.`, details)
      })
      return held('The list is current.', { verdictSource: source })
    },
  },
  'I159-list-renewed': {
    title: 'The status list is signed again before it expires',
    level: 'final',
    expectation: 'accept',
    clauses,
    description:
      'With an expired list, verifiers reject every credential of the issuer, although nothing was revoked.',
    sends: 'GET of the status list of a credential, then at several times up to a day later.',
    decides:
      'Each time the response is a list with the types of I127, whose exp and validUntil have not passed. A typ that is not that of a JWT, and a jti or sub that differs from the id in vc, is a WARN.',
    fix: 'Sign the status list with new times some time before its exp, at the latest when it is requested. Do not keep it in a cache beyond that.',
    needs: ['clock'],
    async run(context) {
      const entry = entryOf(await obtainCredential(context))
      const { statusListCredential } = entry
      const http = context.httpAs('verifier')
      for (const seconds of [0, 50, 250, 3600, 86_400]) {
        if (seconds > 0) await context.advanceClock(seconds)
        const answer = requireAnswer(await http.request(statusListCredential), 'The status list')
        const list = listOf(answer.text)
        const problem = findListProblem(answer.text, entry.type)
        if (problem) return problem
        if (list === undefined) return broken('The status list cannot be read.', { verdictSource })
        const validUntil = Date.parse(list.vc.validUntil ?? '9999-01-01') / 1000
        const end = Math.min(list.exp ?? validUntil, validUntil)
        if (end > context.now()) continue
        const details = { expected: `after ${context.now()}`, actual: end, verdictSource }
        return broken('The status list has expired.', details)
      }
      return held('It is valid each time.', { verdictSource })
    },
  },
})

/** The lifetime of a list in milliseconds, if it has one. */
function ttlOf(text: string): number | undefined {
  const ttl = listOf(text)?.vc.credentialSubject.ttl
  return typeof ttl === 'number' ? ttl : undefined
}

/** The status list in an answer, not verified; undefined if there is none. */
function listOf(text: string) {
  const jws = parseJws(text.trim())
  return jws.ok ? zStatusListCredential.safeParse(jws.payload).data : undefined
}

/** Addresses like this one that end in another number, or in none. */
function otherNumbers(address: string): readonly string[] {
  const number = /\d+$/.exec(address)?.[0]
  if (number === undefined) return [`${address}0`]
  const folder = address.slice(0, -number.length)
  return [
    '0',
    '-1',
    `${number}.0`,
    `0${number}`,
    `x${number}`,
    `${number}x`,
    '999999999',
    '9999999999',
  ].map((each) => `${folder}${each}`)
}

/** The entry of a credential; without one the check ends, since the profile does not have it. */
function entryOf({ vc }: Pick<ObtainedCredential, 'vc'>) {
  if (vc.credentialStatus === undefined) {
    endCheck(
      inconclusive('The credential has no credentialStatus, which the profile does not have.'),
    )
  }
  // The data model allows several, of which the kit could not evaluate all.
  if (Array.isArray(vc.credentialStatus) && vc.credentialStatus.length > 1) {
    endCheck(inconclusive('The credential has several entries in credentialStatus.'))
  }
  const entry = parseStatusEntry(vc.credentialStatus)
  if (entry.success) return entry.data
  const details = { actual: vc.credentialStatus, verdictSource: 'credentialStatus' }
  endCheck(broken(`credentialStatus is not valid: ${problemsIn(entry.error)}.`, details))
}

async function readList(
  context: IssuerContext,
  credential: ObtainedCredential,
): Promise<{ readonly text: string; readonly bits: Uint8Array; readonly tag: string | null }> {
  const { statusListCredential, type } = entryOf(credential)
  const answer = await context.httpAs('verifier').request(statusListCredential)
  const { text, headers } = requireAnswer(answer, 'The request for the status list')
  const { encoding } = statusListForms[type]
  const list = listOf(text)
  const bits = list && decodeBitstring(list.vc.credentialSubject.encodedList, encoding)
  if (bits) return { text, bits, tag: headers.get('etag') }
  endCheck(broken('The status list cannot be read.', { actual: text.slice(0, 300), verdictSource }))
}

/** What is wrong with the content of a list, apart from its entries; undefined if nothing. */
function findListProblem(text: string, form: keyof typeof statusListForms): Finding | undefined {
  const jws = parseJws(text.trim())
  if (!jws.ok) return broken('The status list is not a JWT.', { verdictSource })
  const { header, payload } = jws
  const vc = membersOf(payload.vc)
  const types = [vc.type].flat()
  const required = ['VerifiableCredential', statusListForms[form].credentialType]
  if (!required.every((name) => types.includes(name))) {
    return broken('The status list does not have the types of its specification.', {
      expected: required,
      actual: types,
      verdictSource,
    })
  }
  const less = { level: 'practice', verdictSource } as const
  const contexts = vc['@context']
  if (!Array.isArray(contexts) || contexts.length === 0) {
    return broken('The status list has no @context.', { ...less, actual: contexts })
  }
  const { typ } = header
  if (typ !== undefined && !/^([\w.+-]+\/)?([\w.-]+\+)?jwt$/i.test(String(typ))) {
    return broken('typ of the status list is not that of a JWT.', { ...less, actual: typ })
  }
  const pairs = [
    ['jti', payload.jti, 'vc.id', vc.id],
    ['sub', payload.sub, 'credentialSubject.id', membersOf(vc.credentialSubject).id],
    ['iss', payload.iss, 'vc.issuer', membersOf(vc.issuer).id ?? vc.issuer],
  ] as const
  for (const [claim, actual, member, expected] of pairs) {
    if (actual === undefined || expected === undefined || actual === expected) continue
    return broken(`${claim} and ${member} of the status list differ.`, {
      ...less,
      expected,
      actual,
    })
  }
  return undefined
}

function indexesThatDiffer(before: Uint8Array, after: Uint8Array): number[] {
  const length = Math.max(before.length, after.length)
  const bytes = Array.from({ length }, (_, index) => index).filter(
    (index) => before[index] !== after[index],
  )
  return bytes
    .flatMap((byte) => Array.from({ length: 8 }, (_, bit) => byte * 8 + bit))
    .filter((index) => bitAt(before, index) !== bitAt(after, index))
}
