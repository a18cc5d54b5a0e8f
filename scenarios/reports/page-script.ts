/** Adds the text search, which needs a script; everything else in the page works without. */
export const pageScript = `
const search = document.getElementById('search')
const scenarios = [...document.querySelectorAll('.scenario')]
const suites = [...document.querySelectorAll('.suite')]
search.closest('label').hidden = false
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\\s+/)
  for (const scenario of scenarios) {
    scenario.hidden = !words.every((word) => scenario.dataset.text.includes(word))
  }
  for (const suite of suites) suite.hidden = !suite.querySelector('.scenario:not([hidden])')
  document.querySelector('.nothing').hidden = suites.some((suite) => !suite.hidden)
})
search.form.addEventListener('submit', (event) => event.preventDefault())
`
