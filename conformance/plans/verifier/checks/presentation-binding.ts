import {
  type AuthorizationRequestParameters,
  walletAudience,
} from '#core/oid4vp/authorization-request.ts'
import {
  allOf,
  setHeader,
  setMembers,
  setPayload,
  signAs,
} from '#wallet-emulator/faults/change-jws.ts'
import type { FaultContext } from '#wallet-emulator/faults/wallet-fault.ts'
import { type Account, createAccount } from '#wallet-emulator/keys/create-account.ts'
import {
  changing,
  type NearMiss,
  nearMisses,
  otherTypes,
  swapCase,
  untrimmedMisses,
} from '../../../kit/near-misses.ts'
import { mandate } from '../../../world/create-trust-world.ts'
import {
  asPractice,
  nonAcceptances,
  type PresentationCase,
  refusals,
  withChange,
  withDefect,
  withDefects,
  withFaults,
  withField,
} from '../presentation-checks.ts'

/** What binds a presentation to its session, its verifier and its holder. */
export const checks = {
  ...refusals({
    'V06-wrong-audience': {
      title: 'A presentation for another verifier is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-authorization-request.4'],
      description:
        'A verifier that ignores aud accepts presentations made for another verifier. The operator of that verifier could log in with them.',
      fix: 'Compare aud of the presentation with your client_id, character by character. If it differs or is missing, reject the presentation.',
      remark: 'Ignoring a slash or white space at the end of aud is a WARN.',
      sends:
        'Presentations with another aud, without aud, with an aud that differs only a little from client_id or has another type, and with response_uri, its origin, or aud of the request as aud, unless client_id is the same.',
      presentations: async ({ openRequest }) => {
        const { parameters } = await openRequest()
        return [
          ...withFaults('presentation-wrong-aud', 'presentation-missing-aud'),
          ...changed('aud', changing(nearMisses, String(parameters.client_id))),
          ...changed('aud', [
            ...otherTypes.filter(({ what }) => what !== 'is the only element of a list'),
            { what: 'is an empty list', change: () => [] },
          ]),
          ...asPractice(
            changed('aud', [
              { what: 'has a slash at its end', change: (text) => `${text}/` },
              ...untrimmedMisses,
            ]),
          ),
          ...taken('aud', parameters.client_id, parameters, {
            'is response_uri': ({ response_uri }) => response_uri,
            'is the origin of response_uri': ({ response_uri }) =>
              URL.parse(String(response_uri))?.origin,
            'is aud of the request': () => walletAudience,
          }),
        ]
      },
    },
    'V07-wrong-nonce': {
      title: 'A presentation without the nonce of its session is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/presentation-authorization-request.5',
        '1.resources-and-their-fields/presentation-token.2',
      ],
      description:
        'The nonce binds a presentation to one session. Without it, anyone who has seen a presentation can use it again.',
      sends:
        'Presentations with a nonce that no session has, without a nonce, with the nonce of another open session, with the state of their session, and with a nonce that differs only a little from the right one.',
      fix: 'Compare nonce of the presentation with that of the session of response_uri, character by character. If it differs or is missing, reject the presentation.',
      remark: 'Ignoring white space at the end of nonce is a WARN.',
      presentations: async ({ openRequest }) => {
        const { parameters } = await openRequest()
        const { nonce } = parameters
        return [
          ...withFaults('presentation-wrong-nonce', 'presentation-missing-nonce'),
          withChange('The presentation carries the nonce of another session.', {
            presentation: setPayload({ nonce }),
          }),
          ...changed('nonce', changing(nearMisses, String(nonce))),
          ...asPractice(changed('nonce', untrimmedMisses)),
          ...taken('nonce', nonce, parameters, {
            'is state of the request': ({ state }) => state ?? 'no-state',
          }),
          ...changed('nonce', otherTypes),
        ]
      },
    },
    'V11-iss-is-not-kid': {
      title: 'A presentation whose iss is not the DID of its key is rejected',
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/presentation-token.1',
        '1.resources-and-their-fields/presentation-token.2',
      ],
      description:
        'kid names the signer, and iss the sender. A verifier that verifies with one and trusts the other accepts any sender as the holder.',
      fix: 'Compare iss of the presentation with the DID in kid, without its fragment. If it differs or is missing, reject the presentation.',
      remark:
        'Accepting the presentation without iss is a WARN: kid names the holder. So is ignoring white space at the end of iss.',
      presentations: [
        ...withFaults('presentation-other-iss'),
        withChange('Another holder signs under their own kid, and names the subject in iss.', {
          presentation: allOf(
            signAs(({ otherAccount }) => otherAccount),
            setPayload({ iss: (_: unknown, { account }: FaultContext) => account.did }),
          ),
        }),
        ...changed('iss', nearMisses),
        ...asPractice([
          ...withFaults('presentation-missing-iss'),
          ...changed('iss', [...otherTypes, ...untrimmedMisses]),
          withChange('iss of the presentation is kid, with its fragment.', {
            presentation: setPayload({
              iss: (_: unknown, { account }: FaultContext) => account.kid,
            }),
          }),
        ]),
      ],
    },
    'V12-holder-mismatch': {
      title: "A presentation of another person's credential is rejected",
      level: 'spec',
      rows: [
        '1.resources-and-their-fields/presentation-token.1',
        '1.resources-and-their-fields/presentation-token.2',
      ],
      description:
        'Credentials are not secret: every verifier has seen them. Only the subject of a credential may present it.',
      fix: 'Compare credentialSubject.id of the credential with the DID in kid of the presentation, not with vp.holder or sub, which the sender chooses. If they differ, reject the presentation.',
      remark:
        'Accepting a credential without the id of its subject is a WARN: it may have sub. So is accepting one with two subjects, and ignoring white space at the end of the id.',
      presentations: [
        ...withFaults('holder-mismatch'),
        ...['vp.holder', 'sub'].map((member) =>
          withChange(
            `Another holder presents the credential, and names its subject in ${member}.`,
            {
              presentation: allOf(
                signAs(({ otherAccount }) => otherAccount),
                setPayload({ [member]: (_: unknown, { account }: FaultContext) => account.did }),
              ),
            },
          ),
        ),
        ...withDefects('subject-mismatch'),
        ...nearMisses.map(similarSubject),
        ...asPractice([
          ...[0, 1].map(withTwoSubjects),
          ...withDefects('subject-id-absent'),
          withDefect('The credential has neither sub nor the id of its subject.', {
            change: () => ({ claims: { sub: undefined }, subject: { id: undefined } }),
          }),
          ...untrimmedMisses.map(similarSubject),
        ]),
      ],
    },
    'V67-two-audiences': {
      title: 'A presentation for several verifiers is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'Each of the verifiers could replay it to the others. aud must be equal to client_id, not a list that contains it.',
      fix: 'Require that aud of the presentation is the string client_id. If it is an array with other values, reject the presentation.',
      presentations: [
        ...withFaults('presentation-two-audiences'),
        withChange('The presentation is addressed to another verifier first.', {
          presentation: setPayload({
            aud: (aud: unknown) => ['did:org:uc-pre:zAnotherVerifier', aud],
          }),
        }),
      ],
    },
    'V94-kid-names-no-key': {
      title: 'A presentation whose kid does not name the key of its DID is rejected',
      level: 'practice',
      rows: ['1.resources-and-their-fields/presentation-token.1'],
      description:
        'kid is the DID URL of a key. A verifier that looks only at the beginning of kid accepts several names for one key, and records a name without a key.',
      fix: 'Require that the fragment of kid names the key in the DID: the identifier again for did:key, 0 for did:jwk. Otherwise reject the presentation.',
      remark:
        'The profile requires wallets to send a DID URL. It does not say how to treat another kid.',
      presentations: [
        withKid('kid has no fragment.', ({ did }) => did),
        withKid('kid has an empty fragment.', ({ did }) => `${did}#`),
        withKid('The fragment of kid names another key.', ({ did }, other) =>
          other.kid.replace(/^.*#/, `${did}#`),
        ),
        withKid('The fragment of kid has upper case and lower case exchanged.', ({ kid }) =>
          kid.replace(/#.*/, swapCase),
        ),
        withKid('The fragment of kid lacks its last character.', ({ kid }) => kid.slice(0, -1)),
        withKid('kid has one more character at its end.', ({ kid }) => `${kid}2`),
        withKid('kid is the only element of a list.', ({ kid }) => [kid]),
        {
          ...withKid('The fragment of a did:jwk is 1.', ({ did }) => `${did}#1`),
          account: createAccount({ didMethod: 'jwk' }),
        },
      ],
    },
  }),
  // A verifier that finds the session by state leaves that of response_uri open.
  ...nonAcceptances({
    'V54-wrong-state': {
      title: 'A form with the state of another session is rejected',
      level: 'final',
      clauses: ['OpenID4VP 1.0, 14.3.2', 'RFC 6749, 3.1', 'RFC 6749, 4.1.2'],
      description:
        'state binds the response to the session. A wallet that returns a state returns that of the request.',
      fix: 'If the form has state, compare it with that of the session of response_uri. If it differs, or the form has two, reject the presentation.',
      sends:
        'Presentations whose form has an unknown state, the state of another open session, this state before or after the right one, or a state that differs only a little from the right one.',
      presentations: async ({ openRequest }) => {
        const { state: other } = (await openRequest()).parameters
        return [
          ...withFaults('response-wrong-state'),
          ...(typeof other === 'string'
            ? [
                withState('The form has the state of another session.', () => other),
                withField(
                  'The form has the state of another session, and then the right one.',
                  { state: other },
                  'first',
                ),
                withField(
                  'The form has the right state, and then that of another session.',
                  { state: other },
                  'last',
                ),
              ]
            : []),
          ...changing([...nearMisses, ...untrimmedMisses], String(other ?? 'no-state')).map(
            ({ what, change }) => withState(`state in the form ${what}.`, change),
          ),
        ]
      },
    },
  }),
}

/** Presentations in which one claim is changed a little. */
function changed(claim: string, changes: readonly NearMiss[]): PresentationCase[] {
  return changes.map(({ what, change }) =>
    withChange(`${claim} of the presentation ${what}.`, {
      presentation: setPayload({ [claim]: (current: unknown) => change(String(current)) }),
    }),
  )
}

/** Presentations in which one claim has another value of the request, where that one is wrong. */
function taken(
  claim: string,
  right: unknown,
  known: AuthorizationRequestParameters,
  values: Readonly<Record<string, (request: AuthorizationRequestParameters) => unknown>>,
): PresentationCase[] {
  return Object.entries(values)
    .filter(([, read]) => read(known) !== right)
    .map(([what, read]) => ({
      what: `${claim} of the presentation ${what}.`,
      deviate: (request) => ({ presentation: setPayload({ [claim]: read(request) }) }),
    }))
}

/** A credential whose subject is similar to the holder, in its id and in sub. */
function similarSubject({ what, change }: NearMiss<string>): PresentationCase {
  return withDefect(`The DID of the subject, in the credential and in sub, ${what}.`, {
    change: ({ holderDid }) => ({
      claims: { sub: change(holderDid) },
      subject: { id: change(holderDid) },
    }),
  })
}

/** A credential about two people: the holder, and another one who has the mandate. */
function withTwoSubjects(place: number): PresentationCase {
  const order = place === 0 ? 'first' : 'second'
  return {
    ...withDefect(
      `The credential has two subjects. The holder is the ${order} one, and the other one has the mandate.`,
      {
        change: ({ holderDid }) => {
          const other = { id: 'did:key:zQ3shAnotherHolder', mandate }
          return {
            vc: { credentialSubject: [other, other].with(place, { id: holderDid } as never) },
          }
        },
      },
    ),
    fix: 'Require that credentialSubject of the credential is a single object, and read its id and its mandate from it. Otherwise reject the presentation.',
  }
}

/** Without a state in the request, no wallet returns one: any state is wrong. */
function withState(what: string, change: (state: string) => string): PresentationCase {
  const state = (current: unknown) => change(String(current ?? 'no-state'))
  return withChange(what, { presentationResponse: setMembers({ state }) })
}

function withKid(
  what: string,
  kidOf: (account: Account, otherAccount: Account) => unknown,
): PresentationCase {
  const kid = (_: unknown, { account, otherAccount }: FaultContext) => kidOf(account, otherAccount)
  return withChange(what, { presentation: setHeader({ kid }) })
}
