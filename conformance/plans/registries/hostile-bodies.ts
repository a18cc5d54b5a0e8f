/** Bodies, as they are, that are no JSON object of any API, by what is in them. */
export const hostileBodies: Readonly<Record<string, string>> = {
  'an empty body': '',
  'half an object': '{"did":"did:org',
  null: 'null',
  'a list': '[]',
  'a list of nothing but null': '[null]',
  'a text': '"text"',
  'a number beyond all numbers': '1e999999',
  'a member named __proto__': '{"__proto__":{"did":"x"},"constructor":{"prototype":1}}',
  'deep nesting': `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`,
  'a NUL': '{"did":"did:org:uc-pre:z1\\u0000","from":"\\u0000"}',
  'half a surrogate pair': '{"did":"\\ud800","from":"\\udfff","alsoKnownAs":"\\ud800"}',
  'members of other types': '{"did":{"toString":1},"from":[],"alsoKnownAs":1,"notAfter":{}}',
  'a text of a million letters': `{"did":"${'a'.repeat(1_000_000)}"}`,
}
