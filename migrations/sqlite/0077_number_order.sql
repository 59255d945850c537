-- Lists of agreements are sorted by the type in a number and then by the number itself: SA-9999 before SA-10000. The field gets
-- another number in sort_rows, and a job adds its rows there; these are the ones in the order of the texts.
DELETE FROM sort_rows WHERE field = 1 AND list IN (SELECT first_doc >> 32 FROM lists WHERE kind = 'agreements');
