/** What the sign-in page may say above its form. Addresses carry the name alone, never a text. */
export const loginAlerts: Readonly<Record<string, string>> = {
  login_refused: 'Signing in with your wallet did not succeed. Try again, or use an account.',
  provider_unavailable: 'Signing in with a wallet is not possible at the moment. Try again later.',
}
