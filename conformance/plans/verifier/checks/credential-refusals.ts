import { isJsonObject, type JsonObject, membersOf } from '#core/json/json-object.ts'
import { credentialsContext } from '#core/verification/data-model.ts'
import { endCheck, inconclusive } from '../../../kit/check.ts'
import { closestMisses, nearMisses } from '../../../kit/near-misses.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import { credentialQueriesOf } from '../open-request.ts'
import {
  asPractice,
  type PresentationCase,
  refusals,
  withDefect,
  withDefects,
} from '../presentation-checks.ts'
import { inCredential } from '../raw-tokens.ts'

const { employeeId, ...withoutId } = mandate.mandatee

/** The content of the presented credential is invalid. */
export const checks = refusals({
  'V23-wrong-type': {
    title: 'A credential of another type is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7',
      '1.states-and-transitions.7',
    ],
    description:
      'An accredited issuer may issue many types of credentials. Only one of them is valid for a login.',
    fix: 'Require the accepted type, such as OrgPortalLearCredential, in vc.type of the credential. If it is missing, reject the presentation.',
    presentations: [
      ...withDefects('type-other'),
      ...nearMisses.map(({ what, change }) =>
        withDefect(`The type of the credential ${what}.`, {
          change: ({ inheritedTypes, type }) => ({
            vc: { type: [...inheritedTypes, change(type)] },
          }),
        }),
      ),
    ],
  },
  'V24-broken-type-chain': {
    title: 'A credential without its full type chain is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4'],
    description:
      'The type array contains every type of the inheritance chain. Applications that rely on the parent types may read them.',
    fix: 'Require VerifiableCredential, LEARCredential and the accepted type in vc.type. If one of them is missing, reject the presentation.',
    remark:
      'Accepting the credential without LEARCredential is a WARN: the profile does not name the types of the chain.',
    presentations: [
      ...withDefects('verifiable-credential-missing'),
      ...nearMisses.map(({ what, change }) =>
        withDefect(`VerifiableCredential in vc.type ${what}.`, {
          change: ({ inheritedTypes: [first = '', ...others], type }) => ({
            vc: { type: [change(first), ...others, type] },
          }),
        }),
      ),
      withDefect('vc.type is the accepted type as a string.', {
        change: ({ type }) => ({ vc: { type } }),
      }),
      withDefect('vc.type is a string with all types.', {
        change: ({ inheritedTypes, type }) => ({
          vc: { type: [...inheritedTypes, type].join(' ') },
        }),
      }),
      ...asPractice(withDefects('inherited-type-missing')),
    ],
  },
  'V25-wrong-first-context': {
    title: 'A credential with another first @context is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.3'],
    description: 'The first @context defines the version of the data model.',
    fix: 'Require https://www.w3.org/ns/credentials/v2 as the first element of vc.@context. Otherwise reject the presentation.',
    presentations: [
      ...withDefects('context-order', 'context-absent'),
      ...nearMisses.map(({ what, change }) =>
        withDefect(`The first @context ${what}.`, {
          change: () => ({ vc: { '@context': [change(credentialsContext)] } }),
        }),
      ),
      withDefect('@context is an empty list.', { change: () => ({ vc: { '@context': [] } }) }),
      ...asPractice(
        Object.entries({
          '@context is a string, not a list.': credentialsContext,
          'The first @context has a slash at its end.': [`${credentialsContext}/`],
          'The first @context begins with http.': [credentialsContext.replace('https', 'http')],
        }).map(([what, context]) =>
          withDefect(what, { change: () => ({ vc: { '@context': context } }) }),
        ),
      ),
    ],
  },
  'V26-no-power': {
    title: 'A credential without powers is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1'],
    description:
      'A mandate without powers authorizes nothing. A verifier that accepts it gives access that was never granted.',
    fix: 'Require that mandate.power is an array with at least one element. If it is missing, empty or a string, reject the presentation.',
    presentations: [
      ...withDefects('power-empty', 'power-absent', 'power-serialized'),
      withDefect('mandate.power is null.', { change: () => ({ mandate: { power: null } }) }),
      withDefect('mandate.power is a single power, not a list.', {
        change: () => ({ mandate: { power: mandate.power[0] } }),
      }),
      ...Object.entries({
        'There is no mandate.': undefined,
        'The mandate is null.': null,
        'The mandate is a list.': [mandate],
        'The mandate is a string with JSON in it.': JSON.stringify(mandate),
      }).map(([what, value]) =>
        withDefect(what, { change: () => ({ subject: { mandate: value } }) }),
      ),
      withDefect('The mandate has no power, but its mandatee has.', {
        change: () => ({
          mandate: { power: undefined, mandatee: { ...mandate.mandatee, power: mandate.power } },
        }),
      }),
      withDefect('The mandate has no power, but the subject has.', {
        change: () => ({ mandate: { power: undefined }, subject: { power: mandate.power } }),
      }),
      withDefect('There is no credentialSubject.', {
        change: () => ({ vc: { credentialSubject: undefined } }),
      }),
      withDefect('credentialSubject is null.', {
        change: () => ({ vc: { credentialSubject: null } }),
      }),
    ],
  },
  'V27-no-employee-id': {
    title: 'A credential without employeeId is rejected',
    level: 'spec',
    rows: ['1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.2'],
    description: 'Without the employeeId, the people of an organization cannot be distinguished.',
    fix: 'Require mandate.mandatee.employeeId in the credential. If it is missing, reject the presentation.',
    presentations: [
      ...withDefects('employee-id-absent'),
      ...Object.entries({
        'The mandatee has no employeeId, but the mandate has.': { employeeId },
        'The mandatee has no employeeId, but the mandator has.': {
          mandator: { ...mandate.mandator, employeeId },
        },
      }).map(([what, members]) =>
        withDefect(what, { change: () => ({ mandate: { ...members, mandatee: withoutId } }) }),
      ),
      withDefect('There is no mandatee.', { change: () => ({ mandate: { mandatee: undefined } }) }),
      withDefect('The mandatee is null.', { change: () => ({ mandate: { mandatee: null } }) }),
      withDefect('The mandatee is a string.', {
        change: () => ({ mandate: { mandatee: 'EMP-1' } }),
      }),
    ],
  },
  'V77-type-below': {
    title: 'A credential of a subtype of the accepted type is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-26'],
    description: 'The setting names one type, not a family of types. A new subtype may grant less.',
    fix: 'Require that the accepted type is the only one in vc.type that is not inherited. If there is a more specific type, reject the presentation.',
    presentations: [
      ...withDefects('type-below'),
      ...['VerifiableCredential', 'LEARCredential'].flatMap((inherited) =>
        closestMisses.map(({ what, change }) =>
          withDefect(`It has an additional type: ${inherited}, which ${what}.`, {
            change: ({ inheritedTypes, type }) => ({
              vc: { type: [...inheritedTypes, type, change(inherited)] },
            }),
          }),
        ),
      ),
    ],
  },
  'V78-empty-employee-id': {
    title: 'A credential with an empty or unusable employeeId is rejected',
    level: 'practice',
    clauses: ['docs/assumptions.md, A-28'],
    description: 'All holders with an empty employeeId would be the same person.',
    fix: 'Require that mandate.mandatee.employeeId is a string of 1 to 256 characters, without control characters and not blank. Otherwise reject the presentation.',
    presentations: [
      ...withDefects('employee-id-empty'),
      ...Object.entries({
        'employeeId consists of spaces.': '   ',
        'employeeId contains a control character.': 'EMP\u0000-1',
        'employeeId has 257 characters.': 'x'.repeat(257),
        'employeeId is null.': null,
        'employeeId is a number.': 1,
        'employeeId is a list.': ['EMP-1'],
      }).map(([what, employeeId]) =>
        withDefect(what, {
          change: () => ({ mandate: { mandatee: { ...mandate.mandatee, employeeId } } }),
        }),
      ),
    ],
  },
  'V138-requested-claims': {
    title: 'A credential without a requested claim is rejected',
    level: 'practice',
    rows: ['1.resources-and-their-fields/presentation-authorization-request.7'],
    clauses: ['OpenID4VP 1.0, 8.6'],
    description:
      'Wallets may present a credential that does not match the request. An application that relies on a missing claim fails, or works for the wrong person.',
    sends:
      'For each claim of the mandate that dcql_query requests, a credential that lacks only this claim.',
    fix: 'Evaluate each path in claims of your dcql_query over the presented credential. If one does not find anything, reject the presentation.',
    presentations: async ({ openRequest }) => {
      const { parameters } = await openRequest()
      const names = credentialQueriesOf(parameters)
        .flatMap(({ claims }) => (Array.isArray(claims) ? claims : []))
        .flatMap((claim: unknown) => membersOf(claim).path)
        .flatMap(
          (path) => /^\$\.vc\.credentialSubject\.(mandate(\.\w+)*)$/.exec(String(path))?.[1] ?? [],
        )
        .filter((name) => hasMember({ mandate }, name.split('.')))
      if (names.length === 0) {
        endCheck(inconclusive('The request does not name a claim of the mandate.'))
      }
      return names.map((name) =>
        withDefect(`The credential lacks ${name}, which the request names.`, {
          change: () => ({ subject: withoutMember({ mandate }, name.split('.')) }),
        }),
      )
    },
  },
  'V112-no-vc-claim': {
    title: 'A credential without a vc claim is rejected',
    level: 'spec',
    rows: [
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.4',
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.7',
    ],
    description:
      'All rules of a credential are about its vc claim. If it is missing, a verifier that evaluates only what it finds has nothing left to check.',
    fix: 'Require that the credential is a JWT whose vc claim is an object. If it is missing, null, a string or a list, reject the presentation.',
    presentations: [
      ...withDefects('vc-claim-absent', 'no-jwt'),
      ...Object.entries({
        'The vc claim is null.': null,
        'The vc claim is an empty object.': {},
        'The vc claim is a list.': [{}],
        'The vc claim is a string with JSON in it.': '{}',
      }).map(([what, vc]) => withDefect(what, { change: () => ({ claims: { vc } }) })),
      ...asPractice([
        withOtherVc('is in a list', (vc) => [vc]),
        withOtherVc('is a string with its JSON', JSON.stringify),
      ]),
    ],
  },
})

/** A credential with the right content in another form. */
function withOtherVc(what: string, change: (vc: unknown) => unknown): PresentationCase {
  return inCredential({
    what: `has all members of vc, but vc ${what}`,
    payload: (json) => {
      const payload: JsonObject = JSON.parse(json)
      return JSON.stringify({ ...payload, vc: change(payload.vc) })
    },
  })
}

function hasMember(value: unknown, [name, ...others]: readonly string[]): boolean {
  return (
    name === undefined || (isJsonObject(value) && name in value && hasMember(value[name], others))
  )
}

/** The object without one member, at any depth. */
function withoutMember(value: unknown, [name = '', ...others]: readonly string[]): JsonObject {
  const members = membersOf(value)
  const left = others.length === 0 ? undefined : withoutMember(members[name], others)
  return { ...members, [name]: left }
}
