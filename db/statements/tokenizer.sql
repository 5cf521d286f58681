SELECT value FROM about WHERE key = 'tokenizer'
