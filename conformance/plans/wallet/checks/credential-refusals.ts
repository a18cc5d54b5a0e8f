import { startInLowerCase } from '#core/text/start-in-lower-case.ts'
import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour } from '../counterparts/issuer-session.ts'
import { findNoneKept, type WrongDelivery } from '../findings/issuance-findings.ts'

/** A credential that a wallet must not keep. */
interface WrongCredential
  extends Pick<CheckRow<WalletContext>, 'title' | 'description' | 'fix'>,
    Pick<IssuerBehaviour, 'issued'> {
  /** Its name in world/defects. */
  readonly defect?: string
  /** Names of further defects of the same kind. */
  readonly also?: readonly string[]
  /** Describes the defect, as text after `a credential`. */
  readonly wrong: string
  /** By default the kit delivers such a credential. */
  readonly sends?: string
}

export const checks = defineChecks<WalletContext, WrongCredential>(
  {
    'W17-credential-bad-signature': {
      title: 'A credential with an invalid signature is not kept',
      description:
        'An attacker on the network, or a broken issuer, could put any mandate into the wallet. The holder would notice only at the first failed login.',
      fix: "Verify the signature with the key in kid from the assertionMethod of the issuer's DID document. Discard the credential if verification fails.",
      defect: 'bad-signature',
      also: ['signed-by-strange-key', 'signature-too-short'],
      wrong: 'whose signature is invalid',
    },
    'W18-credential-of-another-holder': {
      title: 'A credential of another holder is not kept',
      description:
        'The holder could never present it, and would see the mandate of another person.',
      fix: 'Compare credentialSubject.id and sub with the DID that signed the proof. Discard the credential if one differs.',
      defect: 'subject-mismatch',
      also: ['sub-mismatch', 'subject-id-absent'],
      wrong: 'about another holder',
    },
    'W19-credential-expired': {
      title: 'An expired credential is not kept',
      description: 'The holder would learn only at login that the credential is useless.',
      fix: 'Compare validUntil and exp with the current time. Discard the credential if one of them has passed, is not a time, or if it has neither.',
      defect: 'expired',
      also: [
        'exp-after-valid-until',
        'exp-before-valid-until',
        'end-absent',
        'valid-until-unreadable',
      ],
      wrong: 'that expired yesterday',
    },
    'W20-issuer-not-accredited': {
      title: 'A credential of an issuer that is not in the TIR is not kept',
      description: 'Anyone can issue credentials. The TIR lists the issuers to trust.',
      fix: 'Fetch the attribute at termsOfUse.id from the TIR. Discard the credential if the TIR returns 404 or the attribute names a different DID.',
      defect: 'not-accredited',
      wrong: 'whose issuer is not in the TIR',
    },
    'W21-issuer-revoked': {
      title: 'A credential of an issuer whose accreditation is revoked is not kept',
      description: 'The issuer may have been revoked because its key was stolen.',
      fix: 'Read attribute.issuerType at termsOfUse.id in the TIR. Discard the credential if it is REVOKED.',
      defect: 'accreditation-revoked',
      wrong: "whose issuer's accreditation is revoked",
    },
    'W22-other-environment': {
      title: 'A credential of another environment is not kept',
      description:
        'A credential of the pre-production environment proves nothing in production, and vice versa.',
      fix: "Require that termsOfUse.id is below the TIR address of the wallet's environment and contains the issuer's DID. Discard the credential otherwise.",
      defect: 'terms-of-use-other-environment',
      also: [
        'terms-of-use-other-host',
        'terms-of-use-other-did',
        'terms-of-use-not-hex',
        'terms-of-use-absent',
      ],
      wrong: 'whose termsOfUse points to another environment',
    },
    'W23-credential-context-order': {
      title: 'A credential with a wrong first @context is not kept',
      description:
        'Verifiers reject it. The wallet is the last place where the problem can be corrected.',
      fix: 'Require https://www.w3.org/ns/credentials/v2 as the first element of vc.@context. Discard the credential otherwise.',
      defect: 'context-order',
      also: ['context-absent'],
      wrong: 'whose first @context is not that of the data model 2.0',
    },
    'W24-credential-type-chain': {
      title: 'A credential without its full type chain is not kept',
      description:
        'Verifiers reject it. The wallet is the last place where the problem can be corrected.',
      fix: 'Compare vc.type with types of the offered entry in credentials_supported. Discard the credential if vc.type lacks one of them.',
      defect: 'inherited-type-missing',
      also: ['verifiable-credential-missing'],
      wrong: 'whose types lack a type of the inheritance chain',
    },
    'W25-issuer-key-revoked': {
      title: "A credential signed after the issuer's key was revoked is not kept",
      description:
        'A thief keeps signing with a stolen key. The DID registry shows when the key was revoked.',
      fix: "Fetch the issuer's DID document with valid-at set to iat, and require the key in kid in its assertionMethod. Discard the credential otherwise.",
      defect: 'key-revoked-before-issuance',
      wrong: "signed after its issuer's key was revoked",
    },
    'W64-other-format-answered': {
      title: 'A credential in a format that was not requested is not kept',
      description: 'The wallet would apply the rules of the wrong format.',
      sends: 'An offer whose credential is delivered in the format vc+sd-jwt.',
      fix: 'Compare format in the credential response with the requested jwt_vc_json. Discard the credential if it differs.',
      issued: { format: 'vc+sd-jwt' },
      wrong: 'that is delivered as vc+sd-jwt',
    },
    'W65-credential-revoked': {
      title: 'A credential that is revoked in its status list is not kept',
      description: 'The issuer revoked it before the delivery. No verifier will accept it.',
      fix: 'Fetch the status list in credentialStatus, verify it, and read the bit at statusListIndex. Discard the credential if the bit is set.',
      defect: 'revoked',
      wrong: 'that is revoked in its status list',
    },
    'W66-credential-of-another-type': {
      title: 'A credential of a type that was not offered is not kept',
      description: 'The holder agreed to one mandate and would receive another.',
      fix: 'Require in vc.type the most specific of the types of the offered entry, and no type that the entry does not list. Discard any other credential.',
      defect: 'type-other',
      also: ['type-below'],
      wrong: 'of a type that was not offered',
    },
    'W67-credential-unsigned': {
      title: 'A credential without a signature is not kept',
      description: 'If a verifier trusts the header, alg none turns any payload into a credential.',
      fix: "Derive the algorithm from the issuer's registered key, such as ES256K for secp256k1, and require it in alg. Discard credentials with alg none.",
      defect: 'alg-none',
      also: ['alg-hs256'],
      wrong: 'that is unsigned (alg none)',
    },
    'W94-issuer-named-elsewhere': {
      title: 'A credential that its issuer did not sign with its own key is not kept',
      description:
        'The signature proves who issued a credential only if iss, vc.issuer and kid name the same organization, and its key is one for credentials.',
      fix: "Require one DID in iss, vc.issuer and kid. Require the key in kid in assertionMethod of that DID's document. Discard the credential otherwise.",
      defect: 'issuer-mismatch',
      also: ['key-not-for-assertions', 'wrong-kid', 'kid-of-another-method', 'issuer-unknown'],
      wrong: 'whose iss and vc.issuer differ',
    },
    'W95-credential-not-yet-valid': {
      title: 'A credential that is not valid yet is not kept',
      description: 'Until then no verifier accepts it, and the holder would learn that at login.',
      fix: 'Compare nbf, validFrom and iat with the current time. Discard the credential if one of them is in the future, or if iat is missing.',
      defect: 'not-yet-valid',
      also: ['nbf-after-valid-from', 'issued-in-the-future', 'iat-absent'],
      wrong: 'that becomes valid tomorrow',
    },
    'W96-credential-incomplete': {
      title: 'A credential without a usable mandate is not kept',
      description:
        'Verifiers reject it. The wallet is the last place where the problem can be corrected.',
      fix: 'Require a list with at least one element in mandate.power, and a non-empty mandate.mandatee.employeeId. Discard the credential otherwise.',
      defect: 'power-empty',
      also: [
        'power-absent',
        'power-serialized',
        'employee-id-absent',
        'employee-id-empty',
        'vc-claim-absent',
        'no-jwt',
      ],
      wrong: 'without powers',
    },
  },
  ({ defect, also = [], issued, wrong, ...texts }) => ({
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    ...(defect && { deviations: [defect, ...also] }),
    sends: [
      `The kit delivers a credential ${wrong}.`,
      ...also.map((name) => `Then one with this defect: ${descriptionOf(name)}.`),
    ].join(' '),
    decides: 'The wallet must report a rejection, and must not list the credential.',
    run(context) {
      const behaviour = {
        ...(defect && { defect: requireDefect(defect) }),
        ...(issued && { issued }),
      }
      const others = also.map((name): WrongDelivery => {
        const wrong = `with this defect: ${descriptionOf(name)}`
        return { wrong, behaviour: { defect: requireDefect(name) } }
      })
      return findNoneKept(context, [{ wrong, behaviour }, ...others])
    },
    ...texts,
  }),
)

/** The defect for the middle of a sentence. */
function descriptionOf(name: string): string {
  return startInLowerCase(requireDefect(name).description.replace(/\.$/, ''))
}
