import { toIsoTime } from '#core/verification/data-model.ts'
import { secondsFromNow, setPayload } from '#wallet-emulator/faults/change-jws.ts'
import type { FaultContext } from '#wallet-emulator/faults/wallet-fault.ts'
import {
  acceptances,
  asPractice,
  type PresentationCase,
  refusals,
  withChange,
  withFaults,
} from '../presentation-checks.ts'

const inMilliseconds =
  (seconds: number) =>
  (_: unknown, { now }: FaultContext) =>
    (now + seconds) * 1000

/** When a presentation is valid: each time on its own. */
export const checks = {
  ...refusals({
    'V09-expired-presentation': {
      title: 'A presentation that has expired is rejected',
      level: 'spec',
      rows: ['1.resources-and-their-fields/presentation-token.2'],
      clauses: ['RFC 7519, 4.1.4'],
      description:
        'exp limits how long a stolen presentation can be used. A verifier that ignores it accepts presentations forever.',
      fix: 'Compare exp of the presentation with the current time, with a tolerance of at most a minute. If it has passed, reject the presentation.',
      presentations: [
        ...withFaults('presentation-expired'),
        // RFC 7519 tolerates a few minutes, and some libraries five.
        at('The presentation expired six minutes ago.', { iat: -660, exp: -360 }),
        at('The presentation expired six minutes and half a second ago.', {
          iat: -660,
          exp: -360.5,
        }),
        withChange('exp of the presentation is 0.', { presentation: setPayload({ exp: 0 }) }),
        ...asPractice([at('The presentation expired 90 seconds ago.', { iat: -390, exp: -90 })]),
      ],
    },
    'V10-presentation-of-the-future': {
      title: 'A presentation from the future is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'A presentation dated in the future can be used later, for example by a thief. Clocks differ by seconds, not by minutes.',
      fix: 'Compare iat of the presentation with the current time. If it is more than a minute in the future, reject the presentation.',
      presentations: [
        ...withFaults('presentation-iat-future'),
        at('iat of the presentation is in ten minutes and half a second.', {
          iat: 600.5,
          exp: 900,
        }),
        at('iat of the presentation is tomorrow.', { iat: 86_400, exp: 86_700 }),
        at('iat of the presentation is in two minutes.', { iat: 120, exp: 420 }),
        at('iat of the presentation is in ten minutes, and nbf was a minute ago.', {
          iat: 600,
          nbf: -60,
          exp: 900,
        }),
      ],
    },
    'V68-no-exp': {
      title: 'A presentation without exp is rejected',
      level: 'practice',
      rows: ['1.resources-and-their-fields/presentation-token.2'],
      description:
        'A verifier that checks exp only if it is present accepts a presentation without exp forever.',
      fix: 'Require exp in the presentation. If it is missing, reject the presentation.',
      remark:
        'The profile requires wallets to send exp. It does not say how to treat a presentation without it.',
      presentations: withFaults('presentation-missing-exp'),
    },
    'V69-long-lived': {
      title: 'A presentation with a long lifetime is rejected',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'A presentation is for one login. A lifetime of a day, or an issue time an hour ago, gives a thief time to use it. The limit of the testbed is 15 minutes.',
      fix: 'Require that exp of the presentation is at most 15 minutes after iat. If it is later, reject the presentation.',
      presentations: [
        ...withFaults('presentation-long-lived', 'presentation-iat-old'),
        at('The presentation is valid for half an hour.', { exp: 1800 }),
      ],
    },
    'V70-no-iat': {
      title: 'A presentation without iat is rejected',
      level: 'practice',
      rows: ['1.resources-and-their-fields/presentation-token.2'],
      description: 'Without iat, the age of the presentation is unknown.',
      fix: 'Require iat in the presentation. If it is missing, reject the presentation.',
      remark:
        'The profile requires wallets to send iat. It does not say how to treat a presentation without it.',
      presentations: withFaults('presentation-missing-iat'),
    },
    'V71-nbf-ahead': {
      title: 'A presentation that is not valid yet is rejected',
      level: 'final',
      clauses: ['RFC 7519, 4.1.5'],
      description: 'A token must not be accepted before its nbf.',
      fix: 'If the presentation has nbf, compare it with the current time. If it is more than a minute in the future, reject the presentation.',
      presentations: [
        ...withFaults('presentation-not-yet-valid'),
        at('nbf of the presentation is in five minutes and half a second.', { nbf: 300.5 }),
        at('nbf of the presentation is tomorrow.', { nbf: 86_400 }),
        ...asPractice([at('nbf of the presentation is in two minutes.', { nbf: 120 })]),
      ],
    },
    'V95-times-that-are-not-numbers': {
      title: 'A presentation whose times are not numbers is rejected',
      level: 'final',
      clauses: ['RFC 7519, 4.1.4', 'RFC 7519, 4.1.5', 'RFC 7519, 4.1.6'],
      description:
        'A comparison with something that is not a number is false in many languages. A verifier that compares a string with the current time never finds that it has passed.',
      fix: 'Require that exp, iat and nbf of the presentation, if present, are JSON numbers of seconds. If one is a string, true, null, a list or an object, reject the presentation: do not convert it.',
      presentations: [
        ...['exp', 'iat', 'nbf'].flatMap((claim) => [
          withTime(`${claim} of the presentation is a string of digits.`, claim, String),
          withTime(`${claim} of the presentation is a date as a string.`, claim, toIsoTime),
          withTime(`${claim} of the presentation is null.`, claim, () => null),
          withTime(`${claim} of the presentation is a list.`, claim, (seconds) => [seconds]),
          withTime(`${claim} of the presentation is an object.`, claim, (seconds) => ({ seconds })),
        ]),
        {
          ...withTime('nbf of the presentation is true.', 'nbf', () => true),
          fix: 'Require that nbf is a JSON number, not true or false: in Python, bool is a subclass of int.',
        },
        ...asPractice([
          withChange('iat and exp of the presentation are in milliseconds.', {
            presentation: setPayload({ iat: inMilliseconds(0), exp: inMilliseconds(300) }),
          }),
        ]),
      ],
    },
  }),
  ...acceptances({
    'V96-times-with-fractions': {
      title: 'A presentation whose times have fractions is accepted',
      level: 'final',
      clauses: ['RFC 7519, 2'],
      description:
        'A NumericDate is a number of seconds that may have a fraction. Wallets that divide milliseconds by 1000 send one.',
      fix: 'Read exp, iat and nbf of the presentation as numbers, not as integers. Compare them without rounding.',
      presentations: [
        at('iat, nbf and exp have fractions.', { iat: -1.5, nbf: -1.5, exp: 299.25 }),
      ],
    },
    'V97-clock-of-the-wallet': {
      title: 'A presentation of a wallet whose clock is a little fast is accepted',
      level: 'practice',
      clauses: ['docs/assumptions.md, A-28'],
      description:
        'The clocks of telephones differ from those of servers. A verifier without a tolerance rejects some wallets always, and others now and then.',
      fix: 'Tolerate an iat and an nbf of the presentation that are up to a minute in the future.',
      presentations: [
        at('iat is in 45 seconds.', { iat: 45, exp: 345 }),
        at('iat and nbf are in 45 seconds.', { iat: 45, nbf: 45, exp: 345 }),
        at('The presentation is valid for exactly 15 minutes.', { exp: 900 }),
        at('The presentation is already 14 minutes old and ends in 30 seconds.', {
          iat: -840,
          exp: 30,
        }),
      ],
    },
  }),
}

/** A presentation with other times, in seconds from now. */
function at(what: string, times: Readonly<Record<string, number>>): PresentationCase {
  const changes = Object.entries(times).map(([claim, seconds]) => [claim, secondsFromNow(seconds)])
  return withChange(what, { presentation: setPayload(Object.fromEntries(changes)) })
}

/** A presentation with a valid time in another form. */
function withTime(
  what: string,
  claim: string,
  form: (seconds: number) => unknown,
): PresentationCase {
  const change = (current: unknown, { now }: FaultContext) =>
    form(typeof current === 'number' ? current : now)
  return withChange(what, { presentation: setPayload({ [claim]: change }) })
}
