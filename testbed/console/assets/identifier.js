// The page of a DID: its keys at a time, and the form that changes them.
import './did-validity.js'
import './registry-changes.js'
