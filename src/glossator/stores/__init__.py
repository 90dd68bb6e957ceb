"""Where is it kept? One folder or module per store; each implements ports.Store and passes testing/store_contract."""
