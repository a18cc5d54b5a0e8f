import { randomUUID } from 'node:crypto'
import type { Power } from '#core/power/power.ts'
import { documentedMessages } from '#scenarios/fixtures/portal.ts'
import {
  broken,
  type CheckLevel,
  defineChecks,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { asPremise, findRefusal, requireFinding } from '../../../kit/classify-answer.ts'
import { allHeld, findEach } from '../../../kit/find-each.ts'
import {
  convertibleTypes,
  type NearMiss,
  similarTexts,
  valuesOf,
} from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import { evaluateCredential, isSamePowers, mandateOf, obtainCredential } from '../credentials.ts'
import { findMailedLink, orderByMail, tag } from '../mailed-offers.ts'
import type { IssuanceEndpoint } from '../open-portal.ts'
import {
  listAsPremise,
  obtainOrdered,
  requestOwnOffer,
  type SignedInPortal,
  signIn,
  smallPower,
} from '../portal-steps.ts'
import { findDocumentedRefusal } from '../refusals.ts'

/** Powers that must be rejected, to follow `The request of`. */
interface WrongPowers {
  readonly what: string
  readonly power: unknown
  /** The level of their acceptance, if lower than that of the check. */
  readonly level?: CheckLevel
}

const names = ['type', 'domain', 'function'] as const
const never = 'never-granted-to-anybody'

export const checks = defineChecks<IssuerContext>({
  'I62-power': {
    title: 'The credential contains the requested powers, and at least one',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1',
      '1.limits.5',
      '1.endpoints/credential-issuer.4',
    ],
    description:
      'The mandate defines what its holder may do: an additional power allows what was never granted.',
    sends:
      'Accepts an offer as documented. If the target has a portal, requests one action of one power, then all powers, and accepts these offers as well.',
    decides:
      'mandate.power is an array with at least one element; with the portal these are the requested powers, in any order and grouping, and with any additional members. If two offers of the portal yield no credential and no rejection, but other offers yield a credential, that is a WARN.',
    fix: 'Copy the requested powers unchanged into mandate.power, an array with at least one element. Do not add default powers.',
    async run(context) {
      const first = await obtainCredential(context)
      const finding = await evaluateCredential(
        context,
        first,
        (rule) => rule === 'credential.power',
      )
      if (finding.kind !== 'held' || !context.can('portal')) return finding
      const signedIn = await signIn(context.portal())
      const { power: all } = signedIn.portal
      const verdictSource = 'mandate.power of the credential'
      const found = await findEach([smallPower(signedIn.portal), all], async (expected) => {
        if (expected === all) {
          await asPremise('requesting all powers (see I145)', requestOwnOffer(signedIn, all))
        }
        const order = () => requestOwnOffer(signedIn, expected)
        const actual = mandateOf(await obtainOrdered(context, order))?.power
        return isSamePowers(actual, expected)
          ? held('These are the requested powers.', { verdictSource })
          : broken('The powers are not the requested ones.', { expected, actual, verdictSource })
      })
      return found.kind === 'held' ? allHeld([finding, found]) : found
    },
  },
  'I122-similar-powers': {
    title: 'Powers that only resemble those of the organization are rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.resources-and-their-fields/power-object.6', '1.errors.3'],
    description:
      'A mandate with a wildcard, or with a power that a careless comparison accepts, allows what the organization never granted.',
    sends:
      'POST /issuance/representative with allowed powers in which type, domain, function or an action is a wildcard, a pattern, shortened, extended, in a different case or in full-width letters, with members exchanged or of two allowed powers, and with an allowed and a foreign power in both orders.',
    decides:
      'Each returns 400, and an allowed power yields an offer. Accepting a different case, full-width letters, spaces, or members of two allowed powers is a WARN.',
    fix: 'Compare type, domain, function and every action of every requested power exactly with what the organization may grant. Treat * in a request as an ordinary value. Otherwise return 400.',
    needs: ['portal'],
    async run(context) {
      const [granted] = context.portal().power
      if (!granted) return inconclusive('The target has an empty list power.')
      const wrong = [...similarPowers(granted), ...mixedPowers(context.portal().power)]
      return findPowersRefused(context, 'representative', wrong, (answer, what) =>
        findRefusal(answer, { what, statuses: [400] }),
      )
    },
  },
  'I123-malformed-powers': {
    title: 'Powers that do not have the documented form are rejected',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: [
      '1.resources-and-their-fields/power-object.1',
      '1.resources-and-their-fields/power-object.2',
      '1.resources-and-their-fields/power-object.3',
      '1.resources-and-their-fields/power-object.4',
      '1.errors.2',
    ],
    description:
      'A value of another type may skip the comparison with the powers of the organization, and ends up in the mandate.',
    sends:
      'POST /issuance/representative with a power whose members are missing or have another type, whose action is a string or contains another type, and with power as an object, in an object, as text or missing.',
    decides: `Each returns 400, and the response contains "${documentedMessages.missingData}". An allowed power yields an offer. Accepting an empty string is a WARN.`,
    fix: `Require power to be an array of objects with the strings type, domain and function and an array action of strings. Otherwise return 400 with the message "${documentedMessages.missingData}".`,
    needs: ['portal'],
    async run(context) {
      const [granted] = context.portal().power
      if (!granted) return inconclusive('The target has an empty list power.')
      return findPowersRefused(context, 'representative', malformedPowers(granted), findMissingData)
    },
  },
  'I124-employee-refusals': {
    title: 'The endpoint for employees rejects what the endpoint for representatives rejects',
    level: 'spec',
    expectation: 'refuse',
    control: 'portal',
    rows: ['1.errors.2', '1.errors.3', '1.endpoints/credential-issuer.5'],
    description:
      'A power that is checked at one of two endpoints is not checked: an attacker uses the other one.',
    sends:
      'POST /issuance/employee with powers that the organization may not grant, without power, without email, with an email of another type, with a string that is not a single address, and with a token without a required claim. If the target has a mailbox, rejected requests with its address as well, between two that are not rejected.',
    decides:
      'Each returns 400 with the documented message, while POST /issuance/representative with an allowed power yields an offer. If the list has a new record for each rejected power, or the mailbox the email of a rejected request, that is a WARN.',
    fix: `Apply the same checks of token, powers and members at POST /issuance/employee, before you create the record or send an email. Return 400 with the documented message.`,
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      const [granted] = portal.power
      if (!granted) return inconclusive('The target has an empty list power.')
      const foreign: readonly WrongPowers[] = names.map((name) => ({
        what: `an employee's power with another ${name}`,
        power: [{ ...granted, [name]: never }],
      }))
      const wrong: readonly WrongPowers[] = [
        ...foreign,
        {
          what: 'an additional action',
          power: [{ ...granted, action: [...granted.action, never] }],
        },
        {
          what: 'a power of single characters',
          power: [{ type: 'd', domain: 'O', function: 'F', action: ['x'] }],
        },
      ]
      const signedIn = await signIn(portal)
      const { headers } = signedIn
      const before = (await listAsPremise(signedIn)).length
      const finding = await findPowersRefused(context, 'employee', wrong, (answer, what) =>
        findDocumentedRefusal(answer, what, documentedMessages.powersNotAuthorized),
      )
      if (finding.kind !== 'held') return finding
      // One is of the allowed power; others may use the organization as well.
      const added = (await listAsPremise(signedIn)).length - before - 1
      if (added >= wrong.length) {
        return broken('The list has a new record for each rejected request.', {
          expected: 0,
          actual: added,
          verdictSource: 'the list of /issuance/credential',
          level: 'practice',
        })
      }
      const power = [granted]
      const bodies = Object.entries({
        'no power': { email },
        'an empty list of powers': { email, power: [] },
        'no email': { power },
        'null as email': { email: null, power },
        'a list of addresses': { email: [email], power },
      })
      const found = await findEach(bodies, async ([what, json]) =>
        findMissingData(
          await portal.post('employee', json, headers),
          `The request for an employee with ${what}`,
        ),
      )
      if (found.kind !== 'held') return found
      const addresses = [
        'nobody',
        `${email}\r\nBcc: ${email}`,
        // A pattern whose $ matches before a line break accepts these.
        `${email}\nBcc: ${email}`,
        `${email}\n`,
        `${email}, ${email}`,
      ]
      const refused = await findEach(addresses, async (address) => {
        const answer = await portal.post('employee', { email: address, power }, headers)
        const what = `The request for an employee with the address ${JSON.stringify(address)}`
        const found = findRefusal(answer, { what, statuses: [400] })
        return found.kind === 'broken' ? { ...found, level: 'practice' } : found
      })
      if (refused.kind !== 'held') return refused
      const incomplete = await findEach(
        ['organization_identifier', 'user_identifier'],
        async (omit) => {
          const authorization = `Bearer ${await portal.createBearerToken({ omit })}`
          const answer = await portal.post('employee', { email, power }, { authorization })
          return findMissingData(answer, `The request for an employee with a token without ${omit}`)
        },
      )
      if (incomplete.kind !== 'held') return incomplete
      return (await findMailOfRejected(context, signedIn)) ?? incomplete
    },
  },
})

/** An address without a mailbox; only requests that must be rejected contain it. */
const email = `nobody-${randomUUID()}@example.invalid`

type Answer = Awaited<ReturnType<ReturnType<IssuerContext['portal']>['post']>>

const findMissingData = (answer: Answer, what: string) =>
  findDocumentedRefusal(answer, what, documentedMessages.missingData)

/** Finds an email of a rejected request, if there is a mailbox to which others arrive. */
async function findMailOfRejected(
  context: IssuerContext,
  signedIn: SignedInPortal,
): Promise<Finding | undefined> {
  const { portal, headers } = signedIn
  const { mailbox } = portal
  if (mailbox === undefined) return undefined
  const power = smallPower(portal)
  const order = async (email: string) =>
    orderByMail(context, signedIn, { email, power }).catch(
      (error: unknown) => void requireFinding(error),
    )
  const before = await order(mailbox.email)
  if (before === undefined) return undefined
  const foreign = power.map((each) => ({ ...each, function: never }))
  for (const wrong of [foreign, []]) {
    await portal.post('employee', { email: mailbox.email, power: wrong }, headers)
  }
  // Once it has arrived, or has had time to, an email that was sent before it has arrived.
  const after = await order(mailbox.email.replace('@', `${tag}@`))
  const link = findMailedLink(await mailbox.read())
  if (link === undefined || [before.link, after?.link].includes(link)) return undefined
  const source = { verdictSource: 'read-mail', level: 'practice' } as const
  return broken('The mailbox has the offer of a rejected request.', source)
}

/** Sends powers that must be rejected, while a small allowed power yields an offer. */
async function findPowersRefused(
  context: IssuerContext,
  endpoint: IssuanceEndpoint,
  wrong: readonly WrongPowers[],
  find: (answer: Answer, what: string) => Finding,
): Promise<Finding> {
  const signedIn = await signIn(context.portal())
  const { portal, headers } = signedIn
  await asPremise('the request of an allowed power', requestOwnOffer(signedIn))
  return findEach(wrong, async ({ what, power, level }) => {
    const json = endpoint === 'employee' ? { email, power } : { power }
    const finding = find(await portal.post(endpoint, json, headers), `The request of ${what}`)
    return finding.kind === 'broken' && level ? { level, ...finding } : finding
  })
}

function similarPowers(granted: Power): readonly WrongPowers[] {
  const [action = ''] = granted.action
  const foreign = { ...granted, function: never }
  const { domain, function: task } = granted
  return [
    ...names.flatMap((name) =>
      valuesOf([...similarTexts, inFullWidth], granted[name])
        .filter(({ value }) => value !== '')
        .map(({ what, value, isLenient }) => ({
          what: `a power whose ${name} ${what}`,
          power: [{ ...granted, [name]: value }],
          ...(isLenient && { level: 'practice' as const }),
        })),
    ),
    ...valuesOf(similarTexts, action)
      .filter(({ value }) => value !== '' && !granted.action.includes(value))
      .map(({ what, value, isLenient }) => ({
        what: `an action that ${what}`,
        power: [{ ...granted, action: [value] }],
        ...(isLenient && { level: 'practice' as const }),
      })),
    { what: 'an allowed action and a wildcard', power: [{ ...granted, action: [action, '*'] }] },
    { what: 'a wildcard and an allowed action', power: [{ ...granted, action: ['*', action] }] },
    {
      what: 'a foreign action, then allowed ones',
      power: [{ ...granted, action: [never, ...granted.action] }],
    },
    ...(domain === task
      ? []
      : [
          {
            what: 'domain and function exchanged',
            power: [{ ...granted, domain: task, function: domain }],
          },
        ]),
    { what: 'an allowed power, then a foreign one', power: [granted, foreign] },
    { what: 'a foreign power, then an allowed one', power: [foreign, granted] },
    { what: 'only wildcards', power: [{ type: '*', domain: '*', function: '*', action: ['*'] }] },
  ]
}

/** Has letters that a normalization (NFKC) replaces by those of ASCII. */
const inFullWidth: NearMiss<string> = {
  what: 'is in full-width letters',
  change: (text) =>
    text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  isLenient: true,
}

/** Powers that no entry of the list contains, though each of their members is in one. */
function mixedPowers(granted: readonly Power[]): readonly WrongPowers[] {
  const contains = (all: Power, { action: [action = ''], ...power }: Power) =>
    names.every((name) => all[name] === power[name]) && all.action.includes(action)
  const mixed = granted.flatMap(({ action, ...power }) =>
    granted.flatMap((other) => [
      ...names.map((name) => ({ ...power, action: action.slice(0, 1), [name]: other[name] })),
      ...other.action.map((each) => ({ ...power, action: [each] })),
    ]),
  )
  return (
    mixed
      .filter((power) => !granted.some((all) => contains(all, power)))
      .slice(0, 4)
      // The target may not list all of its powers.
      .map((power) => ({
        what: 'members of two allowed powers',
        power: [power],
        level: 'practice' as const,
      }))
  )
}

function malformedPowers(granted: Power): readonly WrongPowers[] {
  const [action = ''] = granted.action
  return [
    ...names.flatMap((name) => [
      { what: `a power without ${name}`, power: [{ ...granted, [name]: undefined }] },
      {
        what: `a power whose ${name} is empty`,
        power: [{ ...granted, [name]: '' }],
        level: 'practice' as const,
      },
      ...valuesOf(convertibleTypes, granted[name]).map(({ what, value }) => ({
        what: `a power whose ${name} ${what}`,
        power: [{ ...granted, [name]: value }],
      })),
    ]),
    { what: 'a power whose action is a string', power: [{ ...granted, action }] },
    ...valuesOf(convertibleTypes, action).flatMap(({ what, value }) =>
      Array.isArray(value)
        ? [
            {
              what: `a power with an element of action that ${what}`,
              power: [{ ...granted, action: [value] }],
            },
          ]
        : [
            { what: `a power whose action ${what}`, power: [{ ...granted, action: value }] },
            {
              what: `an allowed action, then an action that ${what}`,
              power: [{ ...granted, action: [action, value] }],
            },
          ],
    ),
    { what: 'a power without action', power: [{ ...granted, action: undefined }] },
    { what: 'an empty action', power: [{ ...granted, action: [''] }], level: 'practice' },
    { what: 'a power that is not in a list', power: granted },
    { what: 'powers in an object', power: { 0: granted } },
    { what: 'powers as text', power: JSON.stringify([granted]) },
    { what: 'null among the powers', power: [granted, null] },
    { what: 'a list in the list', power: [[granted]] },
    { what: 'null as power', power: null },
    { what: 'nothing', power: undefined },
  ]
}
