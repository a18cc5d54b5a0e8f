import { describe, expect, it } from 'vitest'
import {
  fillJson,
  fillText,
  fillUrl,
  fillWords,
} from '#conformance/targets/adapters/fill-placeholders.ts'

const values = { link: 'openid4vp://?a=1&b=2', seconds: 301, pin: undefined }

describe('placeholders', () => {
  it('stand for texts and numbers', () => {
    expect(fillText('{seconds} s', values)).toBe('301 s')
    expect(fillText('{pin}', values)).toBeUndefined()
    expect(fillUrl('http://127.0.0.1/?link={link}', values)).toBe(
      'http://127.0.0.1/?link=openid4vp%3A%2F%2F%3Fa%3D1%26b%3D2',
    )
  })

  it('keep numbers in JSON where they stand alone, and leave out what has no value', () => {
    expect(
      fillJson(
        { advance_seconds: '{seconds}', told: 'in {seconds} s', pin: '{pin}', omit: ['{pin}'] },
        values,
      ),
    ).toEqual({ advance_seconds: 301, told: 'in 301 s', omit: [] })
  })

  it('take the option before them along in command lines', () => {
    expect(fillWords(['accept', '{link}', '--pin', '{pin}', '-v'], values)).toEqual([
      'accept',
      values.link,
      '-v',
    ])
  })
})
