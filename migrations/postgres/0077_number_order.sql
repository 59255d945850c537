-- Lists of agreements are sorted by the type in a number and then by the number itself: SA-9999 before SA-10000.
DROP INDEX agreements_by_number;
CREATE INDEX agreements_by_number ON agreements (corp_id,
  (substr(lower(number), 1, 3) || substr('000000000000000000', length(lower(number))) || substr(lower(number), 4)) NULLS FIRST,
  doc) INCLUDE (agreement_id, number);
