import { type CheckRow, defineChecks } from '../../../kit/check.ts'
import { requireDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { WalletContext } from '../context.ts'
import type { IssuerBehaviour } from '../counterparts/issuer-behaviour.ts'
import { findCredentialNotKept } from '../findings/issuance-findings.ts'

/** A credential that a wallet must not keep. */
interface WrongCredential
  extends Pick<CheckRow<WalletContext>, 'title' | 'description'>,
    Pick<IssuerBehaviour, 'issued'> {
  /** Its name in world/defects. */
  readonly defect?: string
  /** What is wrong, to follow `a credential`. */
  readonly wrong: string
  /** By default an offer of such a credential. */
  readonly sends?: string
  /** What the TIR does meanwhile. */
  readonly misbehaviour?: 'server-error'
}

export const checks = defineChecks<WalletContext, WrongCredential>(
  {
    'W17-credential-bad-signature': {
      title: 'A credential whose signature does not verify is not kept',
      description:
        'Whoever sits on the way, or a broken issuer, could put any mandate into the wallet; the holder learns of it at the first login that fails.',
      defect: 'bad-signature',
      wrong: "whose issuer's signature does not verify",
    },
    'W18-credential-of-another-holder': {
      title: 'A credential about somebody else is not kept',
      description: "It could never be presented, and it shows the holder a stranger's mandate.",
      defect: 'subject-mismatch',
      wrong: 'about somebody else',
    },
    'W19-credential-expired': {
      title: 'An expired credential is not kept',
      description: 'A holder who keeps it learns only at the login that it is worth nothing.',
      defect: 'expired',
      wrong: 'that expired yesterday',
    },
    'W20-issuer-not-accredited': {
      title: 'A credential of an issuer that the TIR does not know is not kept',
      description: 'Anybody can issue; the TIR says whose credentials count.',
      defect: 'not-accredited',
      wrong: 'whose issuer the TIR does not know',
    },
    'W21-issuer-revoked': {
      title: 'A credential of an issuer whose accreditation is revoked is not kept',
      description: 'A revoked issuer may be one whose key was stolen.',
      defect: 'accreditation-revoked',
      wrong: "whose issuer's accreditation is revoked",
    },
    'W22-other-environment': {
      title: 'A credential of another environment is not kept',
      description:
        'A credential of the pre-production environment proves nothing in production, and the other way round.',
      defect: 'terms-of-use-other-environment',
      wrong: 'whose termsOfUse points to another environment',
    },
    'W23-credential-context-order': {
      title: 'A credential whose first @context is another is not kept',
      description: 'Verifiers refuse it: the wallet is where that can still be mended.',
      defect: 'context-order',
      wrong: 'whose first @context is not that of the data model 2.0',
    },
    'W24-credential-type-chain': {
      title: 'A credential without its whole chain of types is not kept',
      description: 'Verifiers refuse it: the wallet is where that can still be mended.',
      defect: 'inherited-type-missing',
      wrong: 'whose types lack one of the inheritance chain',
    },
    'W25-issuer-key-revoked': {
      title: "A credential signed after the issuer's key was revoked is not kept",
      description:
        'Whoever stole the key goes on signing with it; the DID registry says since when that counts for nothing.',
      defect: 'key-revoked-before-issuance',
      wrong: "signed after its issuer's key was revoked",
    },
    'W64-other-format-answered': {
      title: 'A credential in another format than asked for is not kept',
      description: 'The wallet would read it by rules that are not its own.',
      sends: 'An offer whose credential is answered with the format vc+sd-jwt.',
      issued: { format: 'vc+sd-jwt' },
      wrong: 'that is answered as vc+sd-jwt',
    },
    'W65-credential-revoked': {
      title: 'A credential that its status list says is revoked is not kept',
      description: 'The issuer has taken it back before it came; nobody will accept it.',
      defect: 'revoked',
      wrong: 'that its status list says is revoked',
    },
    'W66-credential-of-another-type': {
      title: 'A credential of another type than offered is not kept',
      description: 'The holder agreed to one mandate and would hold another.',
      defect: 'type-other',
      wrong: 'of another type than the one that was offered',
    },
    'W67-credential-unsigned': {
      title: 'A credential without a signature is not kept',
      description: 'alg none makes every payload a credential where a verifier trusts the header.',
      defect: 'alg-none',
      wrong: 'that is not signed (alg none)',
    },
    'W68-parent-revoked': {
      title: 'A credential below a revoked TAO is not kept',
      description: 'Who accredits others may lose that right; what stands below falls with it.',
      defect: 'parent-revoked',
      wrong: "whose issuer's TAO is revoked",
    },
    'W70-tir-down': {
      title: 'While the TIR is down no credential is kept',
      description: 'Whoever can keep a wallet from the registry must not get by with that.',
      sends: 'A good offer, while the TIR does not answer.',
      misbehaviour: 'server-error',
      wrong: 'whose issuer the TIR could not be asked about',
    },
  },
  ({ defect, issued, wrong, misbehaviour, ...texts }) => ({
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    sends: `An offer whose credential is one ${wrong}.`,
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run(context) {
      if (misbehaviour) context.trust.misbehave('tir', misbehaviour)
      const behaviour = {
        ...(defect && { defect: requireDefect(defect) }),
        ...(issued && { issued }),
      }
      return findCredentialNotKept(context, behaviour, wrong)
    },
    ...texts,
  }),
)
