import { defineChecks } from '../../../kit/check.ts'
import { findDefect } from '../../../world/defects/create-credential-with-defect.ts'
import type { Defect } from '../../../world/defects/defect.ts'
import type { WalletContext } from '../context.ts'
import { findCredentialNotKept } from '../findings/issuance-findings.ts'

/** Credentials that a wallet must not keep. */
export const checks = defineChecks<WalletContext>({
  'W17-credential-bad-signature': {
    title: 'A credential whose signature does not verify is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'Whoever sits on the way, or a broken issuer, could put any mandate into the wallet; the holder learns of it at the first login that fails.',
    sends: "An offer whose credential is one whose issuer's signature does not verify.",
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('bad-signature') },
        "whose issuer's signature does not verify",
      ),
  },
  'W18-credential-of-another-holder': {
    title: 'A credential about somebody else is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: "It could never be presented, and it shows the holder a stranger's mandate.",
    sends: 'An offer whose credential is one about somebody else.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('subject-mismatch') },
        'about somebody else',
      ),
  },
  'W19-credential-expired': {
    title: 'An expired credential is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'A holder who keeps it learns only at the login that it is worth nothing.',
    sends: 'An offer whose credential is one that expired yesterday.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(context, { defect: defectNamed('expired') }, 'that expired yesterday'),
  },
  'W20-issuer-not-accredited': {
    title: 'A credential of an issuer that the TIR does not know is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'Anybody can issue; the TIR says whose credentials count.',
    sends: 'An offer whose credential is one whose issuer the TIR does not know.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('not-accredited') },
        'whose issuer the TIR does not know',
      ),
  },
  'W21-issuer-revoked': {
    title: 'A credential of an issuer whose accreditation is revoked is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'A revoked issuer may be one whose key was stolen.',
    sends: "An offer whose credential is one whose issuer's accreditation is revoked.",
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('accreditation-revoked') },
        "whose issuer's accreditation is revoked",
      ),
  },
  'W22-other-environment': {
    title: 'A credential of another environment is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'A credential of the pre-production environment proves nothing in production, and the other way round.',
    sends: 'An offer whose credential is one whose termsOfUse points to another environment.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('terms-of-use-other-environment') },
        'whose termsOfUse points to another environment',
      ),
  },
  'W23-credential-context-order': {
    title: 'A credential whose first @context is another is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'Verifiers refuse it: the wallet is where that can still be mended.',
    sends:
      'An offer whose credential is one whose first @context is not that of the data model 2.0.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('context-order') },
        'whose first @context is not that of the data model 2.0',
      ),
  },
  'W24-credential-type-chain': {
    title: 'A credential without its whole chain of types is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'Verifiers refuse it: the wallet is where that can still be mended.',
    sends: 'An offer whose credential is one whose types lack one of the inheritance chain.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('inherited-type-missing') },
        'whose types lack one of the inheritance chain',
      ),
  },
  'W25-issuer-key-revoked': {
    title: "A credential signed after the issuer's key was revoked is not kept",
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description:
      'Whoever stole the key goes on signing with it; the DID registry says since when that counts for nothing.',
    sends: "An offer whose credential is one signed after its issuer's key was revoked.",
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('key-revoked-before-issuance') },
        "signed after its issuer's key was revoked",
      ),
  },
  'W64-other-format-answered': {
    title: 'A credential in another format than asked for is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'The wallet would read it by rules that are not its own.',
    sends: 'An offer whose credential is answered with the format vc+sd-jwt.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { issued: { format: 'vc+sd-jwt' } },
        'that is answered as vc+sd-jwt',
      ),
  },
  'W65-credential-revoked': {
    title: 'A credential that its status list says is revoked is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'The issuer has taken it back before it came; nobody will accept it.',
    sends: 'An offer whose credential is one that its status list says is revoked.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('revoked') },
        'that its status list says is revoked',
      ),
  },
  'W66-credential-of-another-type': {
    title: 'A credential of another type than offered is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'The holder agreed to one mandate and would hold another.',
    sends: 'An offer whose credential is one of another type than the one that was offered.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('type-other') },
        'of another type than the one that was offered',
      ),
  },
  'W67-credential-unsigned': {
    title: 'A credential without a signature is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'alg none makes every payload a credential where a verifier trusts the header.',
    sends: 'An offer whose credential is one that is not signed (alg none).',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('alg-none') },
        'that is not signed (alg none)',
      ),
  },
  'W68-parent-revoked': {
    title: 'A credential below a revoked TAO is not kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'Who accredits others may lose that right; what stands below falls with it.',
    sends: "An offer whose credential is one whose issuer's TAO is revoked.",
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    run: (context) =>
      findCredentialNotKept(
        context,
        { defect: defectNamed('parent-revoked') },
        "whose issuer's TAO is revoked",
      ),
  },
  'W70-tir-down': {
    title: 'While the TIR is down no credential is kept',
    level: 'practice',
    expectation: 'refuse',
    control: 'offers',
    description: 'Whoever can keep a wallet from the registry must not get by with that.',
    sends: 'A good offer, while the TIR does not answer.',
    decides: 'The wallet says that it refuses, and its list does not hold the credential.',
    async run(context) {
      context.trust.misbehave('tir', 'server-error')
      return findCredentialNotKept(context, {}, 'whose issuer the TIR could not be asked about')
    },
  },
})

/** @throws TypeError where there is no defect of this name */
function defectNamed(name: string): Defect {
  const defect = findDefect(name)
  if (defect === undefined) throw new TypeError(`There is no defect ${name}`)
  return defect
}
