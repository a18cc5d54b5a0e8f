import { digest } from '#kit/secrets.ts'

/** What a form has to bring along with that cookie: nobody can tell it who does not know the cookie. */
export function csrfTokenOf(cookie: string): string {
  return digest(`csrf ${cookie}`)
}
