import type { Texts } from '#kit/language.ts'
import type { TourStep } from './tour-steps.ts'

interface StepTexts {
  readonly title: string
  /** What is about to happen. */
  readonly before: string
  /** The button that does it. */
  readonly action: string
  /** What has happened. */
  readonly after: string
}

/** The texts of the tour. `{person}` and `{organization}` are those of the seed. */
const english = {
  title: 'Issue, log in, revoke',
  lead: '{person} of {organization} receives a credential and logs in with it, until the organization revokes it. Each step runs in the real components of this testbed.',
  keys: 'Use the buttons, or the arrow keys ← and →.',
  progress: 'Steps of the tour',
  stepOf: 'Step {number} of {total}',
  next: 'Next',
  back: 'Back',
  restart: 'Start again',
  working: 'In progress…',
  done: 'done',
  open: 'to do',
  isDone: 'Step {number} is done: {title}',
  overview: {
    label: 'The issuer issues a credential to the wallet. The wallet presents it to the verifier.',
    issuer: 'Issuer',
    wallet: 'Wallet',
    verifier: 'Verifier',
    issues: 'issues',
    presents: 'presents',
  },
  steps: {
    wallet: {
      title: 'A wallet for {person}',
      before:
        'A wallet holds a key that never leaves it. The wallet derives a DID from the public key. Credentials are issued to that DID.',
      action: 'Create the wallet',
      after: 'The wallet has a new key and a DID. It does not hold a credential yet.',
    },
    offer: {
      title: 'The portal requests a credential',
      before:
        '{person} has logged in at the portal of {organization} and requests a credential that states their powers. The issuer checks that the organization may grant these powers, and returns a QR code.',
      action: 'Request the credential',
      after:
        'The issuer has made an offer. The QR code contains a link to it, with a code that works once and for a short time.',
    },
    accept: {
      title: 'The wallet accepts the offer',
      before:
        'The wallet scans the QR code, redeems its one-time code, and proves that it has the key. Then it receives the credential and verifies it: the signature, the issuer in the registries, and the accreditations up to the root of trust.',
      action: 'Scan the QR code',
      after:
        'The credential is valid and in the wallet. It names the person, the organization and the powers.',
    },
    login: {
      title: 'A website asks for the credential',
      before:
        'A website, the relying party, sends {person} to the identity provider. Its login page shows a QR code instead of a password field.',
      action: 'Open the login',
      after:
        'The login page waits for a wallet. Open it in a new tab to watch it, or continue: the login then runs in the background.',
    },
    present: {
      title: 'The wallet presents the credential',
      before:
        'The wallet scans the QR code and verifies who is asking. It signs a presentation for this request only. The verifier checks every rule and looks up the issuer in the registries.',
      action: 'Present the credential',
      after:
        'All rules pass. The identity provider sends the website an ID token that names the person.',
    },
    revoke: {
      title: 'The organization revokes the credential',
      before:
        '{person} leaves {organization}. The portal revokes the credential: the issuer sets one bit in its public status list. The wallet does not take part in it.',
      action: 'Revoke the credential',
      after:
        'The credential is revoked. It is still in the wallet, and its signature is still valid.',
    },
    rejected: {
      title: 'The next login is rejected',
      before:
        'The wallet presents the same credential again. The verifier reads the status list of the issuer, which now shows the revocation.',
      action: 'Log in again',
      after:
        'The login is rejected: the credential is revoked. The verifier names the rule and the reason.',
    },
  } satisfies Record<TourStep, StepTexts>,
  qr: { offer: 'QR code of the offer', login: 'QR code of the login page' },
  link: 'Content of the QR code',
  openLogin: 'Open the login page in a new tab',
  openLoginHint: 'Optional. The wallet then completes the login in that tab.',
  inOtherTab: 'The login page in the other tab has continued to the website.',
  signedIn: 'Welcome, {person}',
  idToken: 'ID token for the website',
  loginFailed: 'Login rejected',
  evaluated: '{passed} of {evaluated} rules passed.',
  allRules: 'See every rule of this login',
  exchanges: 'Exchanges of this step',
  walletSteps: 'What the wallet did',
  end: {
    title: 'That was the life of a credential',
    text: 'Issued, used and revoked, by open protocols. Now explore on your own:',
  },
  more: {
    wallets: 'Let wallets misbehave',
    portal: 'Issue credentials in the portal',
    exchanges: 'Look at every message',
    explain: 'Explain a token or a link',
    'qr-codes': 'Test a wallet on a phone',
  },
  failed: 'This step failed. Repeat it, or start again.',
}

export const tourTexts: Texts<typeof english> = {
  en: english,
  es: {
    title: 'Emitir, iniciar sesión, revocar',
    lead: '{person}, de {organization}, recibe una credencial e inicia sesión con ella, hasta que la organización la revoca. Cada paso se ejecuta en los componentes reales de este banco de pruebas.',
    keys: 'Usa los botones o las flechas ← y → del teclado.',
    progress: 'Pasos del recorrido',
    stepOf: 'Paso {number} de {total}',
    next: 'Siguiente',
    back: 'Atrás',
    restart: 'Empezar de nuevo',
    working: 'En curso…',
    done: 'hecho',
    open: 'pendiente',
    isDone: 'Paso {number} hecho: {title}',
    overview: {
      label: 'El emisor emite una credencial a la cartera. La cartera la presenta al verificador.',
      issuer: 'Emisor',
      wallet: 'Cartera',
      verifier: 'Verificador',
      issues: 'emite',
      presents: 'presenta',
    },
    steps: {
      wallet: {
        title: 'Una cartera para {person}',
        before:
          'Una cartera guarda una clave que nunca sale de ella. De la clave pública obtiene un DID, y las credenciales se emiten a ese DID.',
        action: 'Crear la cartera',
        after: 'La cartera tiene una clave nueva y un DID. Todavía no contiene ninguna credencial.',
      },
      offer: {
        title: 'El portal solicita una credencial',
        before:
          '{person} ha iniciado sesión en el portal de {organization} y solicita una credencial con sus poderes. El emisor comprueba que la organización puede otorgarlos y responde con un código QR.',
        action: 'Solicitar la credencial',
        after:
          'El emisor ha creado una oferta. El código QR contiene un enlace a ella, con un código que solo sirve una vez y durante poco tiempo.',
      },
      accept: {
        title: 'La cartera acepta la oferta',
        before:
          'La cartera escanea el código QR, canjea su código de un solo uso y demuestra que tiene la clave. Después recibe la credencial y la verifica: la firma, el emisor en los registros y las acreditaciones hasta la raíz de confianza.',
        action: 'Escanear el código QR',
        after:
          'La credencial es válida y está en la cartera. Indica la persona, la organización y los poderes.',
      },
      login: {
        title: 'Una web pide la credencial',
        before:
          'Una web, la parte usuaria, envía a {person} al proveedor de identidad. Su página de inicio de sesión muestra un código QR en lugar de pedir una contraseña.',
        action: 'Abrir el inicio de sesión',
        after:
          'La página espera una cartera. Ábrela en otra pestaña para verla, o continúa: el inicio de sesión se hará en segundo plano.',
      },
      present: {
        title: 'La cartera presenta la credencial',
        before:
          'La cartera escanea el código QR y verifica quién la pide. Firma una presentación solo para esta petición. El verificador comprueba todas las reglas y consulta el emisor en los registros.',
        action: 'Presentar la credencial',
        after:
          'Se cumplen todas las reglas. El proveedor de identidad envía a la web un token de identidad con los datos de la persona.',
      },
      revoke: {
        title: 'La organización revoca la credencial',
        before:
          '{person} deja {organization}. El portal revoca la credencial: el emisor activa un bit en su lista pública de estados. La cartera no interviene.',
        action: 'Revocar la credencial',
        after: 'La credencial está revocada. Sigue en la cartera, y su firma sigue siendo válida.',
      },
      rejected: {
        title: 'El siguiente inicio de sesión se rechaza',
        before:
          'La cartera presenta otra vez la misma credencial. El verificador lee la lista de estados del emisor, que ahora muestra la revocación.',
        action: 'Iniciar sesión otra vez',
        after:
          'El inicio de sesión se rechaza: la credencial está revocada. El verificador indica la regla y el motivo.',
      },
    },
    qr: { offer: 'Código QR de la oferta', login: 'Código QR de la página de inicio de sesión' },
    link: 'Contenido del código QR',
    openLogin: 'Abrir la página de inicio de sesión en otra pestaña',
    openLoginHint: 'Opcional. La cartera responderá entonces a la página de esa pestaña.',
    inOtherTab: 'La página de la otra pestaña ha continuado hasta la web.',
    signedIn: 'Te damos la bienvenida, {person}',
    idToken: 'Token de identidad para la web',
    loginFailed: 'Inicio de sesión rechazado',
    evaluated: 'Se cumplen {passed} de {evaluated} reglas.',
    allRules: 'Ver todas las reglas de este inicio de sesión',
    exchanges: 'Intercambios de este paso',
    walletSteps: 'Qué ha hecho la cartera',
    end: {
      title: 'Esta ha sido la vida de una credencial',
      text: 'Emitida, usada y revocada con protocolos abiertos. Sigue por tu cuenta:',
    },
    more: {
      wallets: 'Hacer que una cartera se porte mal',
      portal: 'Emitir credenciales en el portal',
      exchanges: 'Ver cada mensaje',
      explain: 'Explicar un token o un enlace',
      'qr-codes': 'Probar la cartera de un teléfono',
    },
    failed: 'Este paso ha fallado. Repítelo o empieza de nuevo.',
  },
}
